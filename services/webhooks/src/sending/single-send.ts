import type { Target } from '../destinations/url.ts'
import { Connection, type Outgoing } from './connection.ts'
import type { Connect } from '../connect-guard/connect.ts'
import type { Answer } from './exchange.ts'

/** Makes one attempt outside the engine, on a guarded connection of its own. */
export const sendOnce = (connect: Connect, target: Target, outgoing: Outgoing): Promise<Answer> =>
  new Promise((resolve) => {
    const connection = new Connection(target, connect)
    connection.send(outgoing, (answer) => {
      connection.close()
      resolve(answer)
    })
  })
