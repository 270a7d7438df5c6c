export type Guide = Readonly<{
  /** Its address below `/docs`. */
  name: string
  title: string
  /** From the root of the repository. */
  file: string
}>

/** The repository's pages that integrators and operators read, in the order of the links. */
export const GUIDES: readonly Guide[] = [
  { name: 'start', title: 'Start', file: 'README.md' },
  { name: 'tour', title: 'Tour', file: 'docs/TOUR.md' },
  { name: 'receiving', title: 'Receiving webhooks', file: 'docs/RECEIVING.md' },
  { name: 'hosted-onboarding', title: 'Hosted onboarding', file: 'docs/HOSTED-ONBOARDING.md' },
  { name: 'events', title: 'Events', file: 'docs/reference/events.md' },
  { name: 'errors', title: 'Errors', file: 'docs/reference/errors.md' },
  { name: 'refunds', title: 'Refunds', file: 'docs/REFUNDS.md' },
  { name: 'time', title: 'Time', file: 'docs/TIME.md' },
  { name: 'operations', title: 'Operations', file: 'docs/OPERATIONS.md' },
  { name: 'glossary', title: 'Glossary', file: 'docs/GLOSSARY.md' },
]
