import type { ApiClient } from './api-client.ts'
import type { Expectations } from './expectations.ts'
import type { Narrator } from './narrator.ts'

/** What a part of the tour works with. */
export type Scene = Readonly<{
  /** The partner's client; another one after its token has run out. */
  partner: ApiClient
  staff: ApiClient
  sandbox: ApiClient
  customerPath: string
  /** Makes references and keys this walk's own. */
  mark: string
  narrator: Narrator
  expect: Expectations
}>

/** Asks the sandbox. @throws unless it did so */
export const control = async (scene: Pick<Scene, 'sandbox'>, path: string, body: unknown): Promise<void> => {
  const answer = await scene.sandbox.post(`/control/${path}`, body)
  if (answer.status >= 300)
    throw new Error(`The sandbox refused /control/${path}: ${JSON.stringify(answer.body)}`)
}
