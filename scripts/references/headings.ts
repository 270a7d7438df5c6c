/** A heading of a Markdown page, with its parent. */
export type Heading = {
  /** As it is written. */
  title: string
  /** The title as cited: without a trailing part in parentheses. */
  name: string
  /** The name of the parent heading, `null` at the top. */
  parent: string | null
}

const nameOf = (title: string): string => title.replace(/ \(.*$/, '')

/** The headings of a page in order, without those in code blocks. */
export const headingsOf = (markdown: string): Heading[] => {
  const above: { level: number; name: string }[] = []
  return [...markdown.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/^(#{1,6}) (.+)$/gm)].map(
    ([, marks = '', title = '']) => {
      while ((above.at(-1)?.level ?? 0) >= marks.length) above.pop()
      const heading = { title: title.trim(), name: nameOf(title.trim()), parent: above.at(-1)?.name ?? null }
      above.push({ level: marks.length, name: heading.name })
      return heading
    },
  )
}

/** Anchors of a page's headings as GitHub makes them: lower case, hyphens for spaces, `-1` for a repeated heading. */
export const anchorsOf = (markdown: string): Set<string> => {
  const anchors = new Set<string>()
  for (const { title } of headingsOf(markdown)) {
    const anchor = title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-')
    let numbered = anchor
    for (let copy = 1; anchors.has(numbered); copy++) numbered = `${anchor}-${copy}`
    anchors.add(numbered)
  }
  return anchors
}
