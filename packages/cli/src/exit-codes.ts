/** Exit codes that scripts may rely on. */
export const EXIT = {
  done: 0,
  /** The platform refused the call, or something here failed. */
  refused: 1,
  /** The command line is wrong. */
  usage: 2,
  /** There is no credential, or the platform does not accept it. */
  credential: 3,
  /** There is no such resource, or it is another's. */
  notFound: 4,
  /** The platform or its sandbox gives no answer now. Worth repeating. */
  unavailable: 5,
} as const

export const EXIT_CODES_HELP = `
Exit codes:
  0  done
  1  the platform refused the call, or the command failed
  2  the command line is invalid
  3  no credential, or the platform refused it
  4  the resource does not exist, or is not yours
  5  the platform does not answer: retry later`
