import type { Context } from './context.ts'
import { printable, printableJson } from './output/printable.ts'
import { failureLine, failureOf } from './output/failure.ts'
import { createProgram } from './program.ts'

/** Runs one command line. @returns the exit code */
export const run = async (args: readonly string[], context: Context): Promise<number> => {
  const program = createProgram(context)
  try {
    await program.parseAsync(args, { from: 'user' })
    return 0
  } catch (error) {
    const failure = failureOf(error)
    if (failure.message === '') return failure.exitCode
    const isJson = program.opts<{ json?: boolean }>().json === true
    const { exitCode: _code, ...told } = failure
    context.streams.stderr.write(
      `${isJson ? printableJson({ error: told }) : printable(failureLine(failure))}\n`,
    )
    return failure.exitCode
  }
}
