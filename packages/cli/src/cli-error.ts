import { EXIT } from './exit-codes.ts'

/** A failure whose message says what to do. */
export class CliError extends Error {
  override readonly name = 'CliError'
  readonly exitCode: number

  constructor(message: string, exitCode: number = EXIT.refused) {
    super(message)
    this.exitCode = exitCode
  }
}

export const usageError = (message: string): CliError => new CliError(message, EXIT.usage)
export const credentialError = (message: string): CliError => new CliError(message, EXIT.credential)
