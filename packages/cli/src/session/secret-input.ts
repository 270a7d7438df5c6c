import { read } from 'read'
import { credentialError } from '../cli-error.ts'
import type { Streams } from '../output/output.ts'

const firstLine = async (input: NodeJS.ReadStream): Promise<string> => {
  let text = ''
  for await (const chunk of input) text += String(chunk)
  return text.split('\n', 1)[0]?.trim() ?? ''
}

/** Asks for what is missing: at a terminal with a prompt, else the first line of what is piped in. */
export const readAnswer = async (
  { stdin, stderr }: Streams,
  question: string,
  { isSecret }: Readonly<{ isSecret: boolean }>,
): Promise<string> => {
  const prompt = { input: stdin, output: stderr, prompt: `${question}: `, silent: isSecret }
  const answer = stdin.isTTY ? await read(prompt) : await firstLine(stdin)
  // The line's end was as little shown as the secret before it.
  if (stdin.isTTY && isSecret) stderr.write('\n')
  if (answer === '') throw credentialError(`No ${question.toLowerCase()} was given`)
  return answer
}
