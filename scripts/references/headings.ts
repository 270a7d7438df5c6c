/** A heading of a Markdown page and the one that it stands under. */
export type Heading = {
  /** As it is written. */
  title: string
  /** As it is cited: without what follows in parentheses. */
  name: string
  /** The name of the heading above, `null` at the top. */
  parent: string | null
}

const nameOf = (title: string): string => title.replace(/ \(.*$/, '')

/** The headings of a page in their order, code blocks left out. */
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

/** Anchors of a page's headings, as the common hosts make them: lower case, hyphens for blanks, `-1` for a second. */
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
