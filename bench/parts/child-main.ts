/** The argument that this helper process was started with; it comes as the first message. */
export const childArgument = (): Promise<unknown> =>
  new Promise((resolve) =>
    process.once('message', (message: { argument: unknown }) => resolve(message.argument)),
  )

/** Reports that this process is ready, and answers the benchmark's messages until the benchmark ends. */
export const serveParent = (ready: unknown, answer: (message: never) => Promise<unknown>): void => {
  process.on('message', (message) => {
    answer(message as never).then(
      (reply) => process.send?.(reply),
      (error: unknown) => {
        console.error(error)
        process.exit(1)
      },
    )
  })
  process.on('disconnect', () => process.exit(0))
  process.send?.(ready)
}
