/** Folders without a phrase of the list. The list of folders only grows. */
export const CLEAN_FOLDERS = [
  'bench/',
  'deploy/kubernetes/',
  'docs/adr/',
  'docs/chains/',
  'packages/chassis/src/',
  'packages/chassis/tests/',
  'packages/cli/',
  'packages/client/',
  'packages/contracts/src/',
  'packages/dev-env/',
  'packages/mcp/',
  'packages/rails/',
  'packages/reference/',
  'packages/screens/',
  'packages/webhook-verifier/',
  'sandbox/',
  'scripts/',
  'services/access/src/',
  'services/gateway/',
  'services/onboarding/src/',
  'services/onboarding/tests/',
  'services/onramp/src/',
  'services/onramp/tests/',
  'services/refunds/src/',
  'services/refunds/tests/',
  'services/payments/src/',
  'services/payments/tests/',
  'services/signer/src/',
  'services/signer/tests/',
  'services/webhooks/src/',
  'services/webhooks/tests/',
  'tests/contract/',
  'tests/examples/',
  'tests/infrastructure/',
  'tests/journeys/',
  'tests/proofs/',
  'tests/published/',
  'tests/receivers/',
  'tests/refunds/',
  'tests/screens/',
  'tests/soak/',
]

/** Phrases of the project's former dialect. STYLE.md says what to write instead. */
const PHRASES = [
  'is none',
  'none of',
  'of its own',
  'another than',
  'but on',
  'for ever',
  'at once',
  'as ever',
  'by itself',
  'by themselves',
  'whoever',
  'whatever is',
  'what is left of',
  'beside',
  'goes on',
  'is told',
  'is away',
  'asked again',
  'stands',
  'lies',
]

/** A phrase can continue on the next line of a comment. */
const GAP = String.raw`\s+(?:\*\s+|//\s+)?`
const PHRASE = new RegExp(String.raw`\b(?:${PHRASES.join('|').replaceAll(' ', GAP)})\b`, 'gi')
const DOC_COMMENT_START = /\/\*\*\s+(?:\*\s+)?(?:What|Whether|Of)\b/g

/** Returns the phrases of the list and the forbidden beginnings of doc comments in a text, with their lines. */
export const findPhrases = (text: string): { line: number; phrase: string }[] =>
  [PHRASE, DOC_COMMENT_START]
    .flatMap((pattern) => [...text.matchAll(pattern)])
    .map(({ index, 0: found }) => ({
      line: text.slice(0, index).split('\n').length,
      phrase: found.replaceAll(/\s+(?:\*\s+|\/\/\s+)?/g, ' '),
    }))
    .sort((a, b) => a.line - b.line)
