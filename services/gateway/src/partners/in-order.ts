/** The chosen names in the order of the full list, each once. */
export const inOrder = <T extends string>(all: readonly T[], chosen: readonly T[]): T[] =>
  all.filter((name) => chosen.includes(name))
