import { newId } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { once } from 'node:events'
import { connect } from 'node:net'
import { UnresolvedNameError } from '../../src/connect-guard/failure.ts'
import type { Outside } from '../../src/service.ts'
import { paymentEvent, startHarness, type Harness } from '../harness.ts'
import { whole, writes } from './behaviour.ts'
import { listenPlain, type Loopback } from './loopback.ts'
import { NAMES, NAMES_WITHOUT_END, PUBLIC, REFUSING, SILENT, type NameBehaviour } from './names.ts'

const NEIGHBOUR = 'neighbour.example.test'
const hostOf = (index: number) => `name-${index}.example.test`
const indexOf = (host: string) => Number(/^name-(\d+)\./.exec(host)?.[1])

/** Resolves names by the table and serves every address on loopback; nothing else is dialled. */
const play = (behaviours: readonly NameBehaviour[], receiver: Loopback) => {
  const dialled = new Map<string, string[]>()
  const lookedUp = new Map<string, number>()
  const resolve: Outside['resolve'] = (host) => {
    if (host === NEIGHBOUR) return Promise.resolve([PUBLIC])
    const count = lookedUp.get(host) ?? 0
    lookedUp.set(host, count + 1)
    const lookUp = behaviours[indexOf(host)]?.lookUps[count]
    return lookUp ? lookUp() : Promise.reject(new UnresolvedNameError(`Look-up ${count} of ${host}`))
  }
  const dial: Outside['dial'] = async ({ address, hostname }, signal) => {
    dialled.set(hostname, [...(dialled.get(hostname) ?? []), address])
    if (address === REFUSING) throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
    if (address === SILENT) {
      await once(signal, 'abort')
      throw new Error('silent')
    }
    const socket = connect(receiver.port, '127.0.0.1')
    await once(socket, 'connect')
    return socket
  }
  return { resolve, dial, dialledFor: (host: string) => dialled.get(host) ?? [] }
}

const describeNames = (title: string, behaviours: readonly NameBehaviour[], timeoutMs: number) => {
  describe(title, () => {
    let harness: Harness
    let receiver: Loopback
    let fixture: ReturnType<typeof play>
    beforeAll(async () => {
      receiver = await listenPlain({ answer: writes(whole(200, 'ok', ['connection: close'])) })
      fixture = play(behaviours, receiver)
      const policy = { retryDelaysMs: [60_000], timeoutMs }
      harness = await startHarness(fixture, {
        policies: { partner: policy, merchant: policy },
        allowInsecure: false,
      })
    })
    afterAll(async () => {
      await receiver.close()
      await harness.stop()
    })

    const attempted = (partnerId: string, webhookId: string, eventId: string) =>
      eventually(async () => {
        const deliveries = await harness.deliveriesOf(partnerId, webhookId)
        return deliveries.find((one) => one.event_id === eventId && one.attempts.length > 0)
      })

    test.each(behaviours.map((behaviour, index) => [behaviour.receiver, index] as const))(
      'handles a receiver whose name %s',
      async (_receiver, index) => {
        const { lookUps, outcomes, dialled } = behaviours[index] as NameBehaviour
        const partnerId = newId('partner')
        const hostile = await harness.createWebhook(partnerId, `https://${hostOf(index)}/hook`)
        const neighbourHook = await harness.createWebhook(partnerId, `https://${NEIGHBOUR}/hook`)
        const seen: unknown[] = []
        for (let made = 0; made < lookUps.length; made += 1) {
          const event = paymentEvent(partnerId)
          await harness.publishEvent(event)
          const neighbour = await attempted(partnerId, neighbourHook.webhook.webhook_id, event.id)
          expect([neighbour.status, neighbour.attempts.length]).toEqual(['delivered', 1])
          const { status, attempts } = await attempted(partnerId, hostile.webhook.webhook_id, event.id)
          const [attempt] = attempts
          const { status_code: statusCode, error, response_body: body } = attempt as (typeof attempts)[number]
          seen.push({ status, statusCode, error, body })
        }
        expect(seen).toEqual(outcomes)
        expect(fixture.dialledFor(hostOf(index))).toEqual(dialled)
      },
    )
  })
}

describeNames('what a name leads to is checked on the very address that is dialled', NAMES, 120_000)
describeNames('what comes of a name is waited for to the deadline', NAMES_WITHOUT_END, 6_000)
