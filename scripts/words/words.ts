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

/** The first word of a title in `test('…')`, in `it('…')` or after their `.each(…)`. */
const TITLE = /(?<![.\w])(?:it|test)(?:\.skip|\.each\b[^]*?\))?\(\s*['"`](\w*)/g

/** Words that begin a noun or a clause. A title that begins with one cannot be read alone in a CI log. */
const NOT_FIRST: ReadonlySet<string> = new Set(
  [
    'a an the it its this that these those every each no nobody nothing',
    'what whatever whether which who whoever whose how however when where while until once if as so and or but',
    'too still only not there either neither',
    'about after among at before between by during for from in of on to under with without',
  ].flatMap((words) => words.split(' ')),
)

export type FoundPhrase = Readonly<{ line: number; phrase: string; instead: string }>

const lineAt = (text: string, index: number): number => text.slice(0, index).split('\n').length

const findTitles = (text: string): FoundPhrase[] =>
  [...text.matchAll(TITLE)]
    .filter(([, first = '']) => NOT_FIRST.has(first))
    .map(({ index, 0: found, 1: first }) => ({
      line: lineAt(text, index + found.length),
      phrase: `test('${first}`,
      instead: 'a verb in the third person',
    }))

/** Returns the phrases of the list and the forbidden beginnings of doc comments and test titles, with their lines. */
export const findPhrases = (text: string): FoundPhrase[] =>
  [PHRASE, DOC_COMMENT_START]
    .flatMap((pattern) => [...text.matchAll(pattern)])
    .map(({ index, 0: found }) => {
      const phrase = found.replaceAll(/\s+(?:\*\s+|\/\/\s+|#\s+)?/g, ' ')
      return {
        line: lineAt(text, index),
        phrase,
        instead: PHRASES[phrase.toLowerCase()] ?? 'a verb or a noun phrase',
      }
    })
    .concat(findTitles(text))
    .sort((a, b) => a.line - b.line)
