/** The suite of a test file: the folder under which docs/TESTING.md lists it. */
export const suiteOf = (file: string): string => {
  const [area = '', name = '', room = ''] = file.split('/')
  if (area === 'tests') return `${area}/${name}`
  if (area !== 'packages' && area !== 'services') return area
  return room === 'src' ? `${area}/${name} (rules)` : `${area}/${name}`
}

/** Minutes and seconds, such as `3:07`. */
export const minutes = (ms: number): string => {
  const seconds = Math.round(ms / 1_000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

type TimedFile = Readonly<{ file: string; ms: number }>

/** The table of docs/TESTING.md: files and time of each suite, the longest first. Files run two at a time. */
export const timesBySuite = (files: readonly TimedFile[]): string => {
  const suites = new Map<string, { files: number; ms: number }>()
  for (const { file, ms } of files) {
    const suite = suites.get(suiteOf(file)) ?? { files: 0, ms: 0 }
    suites.set(suiteOf(file), { files: suite.files + 1, ms: suite.ms + ms })
  }
  return [...suites]
    .sort(([, a], [, b]) => b.ms - a.ms)
    .map(
      ([name, suite]) =>
        `${minutes(suite.ms).padStart(7)}  ${String(suite.files).padStart(4)} files  ${name}`,
    )
    .join('\n')
}
