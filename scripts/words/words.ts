/** Paths whose text is not ours to change: the given specification, a release, and the word list's own examples. */
const NOT_CHECKED = ['docs/spec/api.md', 'releases/', 'scripts/words/']

/** Checks whether the phrases of a file are looked for. Released migrations (SQL) never change. */
export const isChecked = (path: string): boolean =>
  /\.(?:[cm]?[jt]s|md|sh|ya?ml)$/.test(path) && !NOT_CHECKED.some((start) => path.startsWith(start))

/** Phrases of the project's former dialect, and what to write instead. */
const PHRASES: Readonly<Record<string, string>> = {
  'is none': 'there is no …',
  'none of': 'no …',
  'of its own': 'own, or separate',
  'another than': 'different from',
  'but on': 'except on',
  'for ever': 'permanently',
  'at once': 'immediately, or simultaneously',
  'as ever': 'as before',
  'by itself': 'automatically, or alone',
  'by themselves': 'automatically, or alone',
  whoever: 'anyone who',
  'whatever is': 'everything that is',
  'what is left of': 'the rest of',
  beside: 'next to, or in addition to',
  'goes on': 'continues',
  'is told': 'is notified',
  'is away': 'is unavailable',
  'asked again': 'retried',
  stands: 'is',
  lies: 'is stored',
}

/** A phrase can continue on the next line of a comment. */
const GAP = String.raw`\s+(?:\*\s+|//\s+|#\s+)?`
const PHRASE = new RegExp(String.raw`\b(?:${Object.keys(PHRASES).join('|').replaceAll(' ', GAP)})\b`, 'gi')
const DOC_COMMENT_START = /\/\*\*\s+(?:\*\s+)?(?:What|Whether|Of)\b/g

export type FoundPhrase = Readonly<{ line: number; phrase: string; instead: string }>

/** Returns the phrases of the list and the forbidden beginnings of doc comments in a text, with their lines. */
export const findPhrases = (text: string): FoundPhrase[] =>
  [PHRASE, DOC_COMMENT_START]
    .flatMap((pattern) => [...text.matchAll(pattern)])
    .map(({ index, 0: found }) => {
      const phrase = found.replaceAll(/\s+(?:\*\s+|\/\/\s+|#\s+)?/g, ' ')
      return {
        line: text.slice(0, index).split('\n').length,
        phrase,
        instead: PHRASES[phrase.toLowerCase()] ?? 'a verb or a noun phrase',
      }
    })
    .sort((a, b) => a.line - b.line)
