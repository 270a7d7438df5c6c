import { describe, expect, test } from '@jest/globals'
import type { CardNotice, CardProcessor } from '../src/cards.ts'
import { type CardFixture, checkoutRequest, type Notice } from './card-fixture.ts'

/** Ends what hangs, and measures nothing. */
const PATIENCE_MS = 120_000
const POLL_MS = 20

/** Notices of a processor, and which of their content the adapter trusts. */
export const describeCardNotices = (current: () => CardFixture): void => {
  describe('notices', () => {
    const checkout = async () => {
      const request = checkoutRequest(current().noticeUrl)
      return { request, ...(await current().processor.createCheckout(request)) }
    }
    const verify = (notice: Notice, at: Date = new Date(), processor: CardProcessor = current().processor) =>
      processor.verifyNotice(notice.headers, notice.body, at)

    const posted = async (kind: CardNotice['kind']): Promise<{ post: Notice; notice: CardNotice }> => {
      const until = performance.now() + PATIENCE_MS
      for (;;) {
        for (const post of current().notices()) {
          const verdict = await verify(post)
          if (verdict.ok && verdict.notice?.kind === kind) return { post, notice: verdict.notice }
        }
        if (performance.now() > until) throw new Error(`no notice of a ${kind} came`)
        await new Promise((resolve) => setTimeout(resolve, POLL_MS))
      }
    }
    const paymentNotice = async () => {
      const made = await checkout()
      await current().pay(made.request.orderKey, 'completed')
      return { ...made, ...(await posted('payment')) }
    }

    test('name the payment to read for a payment', async () => {
      const { notice, processorOrderId } = await paymentNotice()
      expect(notice).toEqual({
        noticeId: expect.stringMatching(/.+/),
        processorOrderId,
        kind: 'payment',
        event: expect.stringMatching(/.+/),
      })
    })

    test('name the payment to read for a refund', async () => {
      const { request, processorOrderId } = await paymentNotice()
      await current().refundOutside(request.orderKey, 100)
      expect((await posted('refund')).notice).toMatchObject({ kind: 'refund', processorOrderId })
    })

    test('report a dispute, or none if disputes are imported from files', async () => {
      const { request, processorOrderId } = await paymentNotice()
      await current().dispute(request.orderKey)
      if (current().processor.traits.disputeNotices === 'notices')
        expect((await posted('dispute')).notice).toMatchObject({ kind: 'dispute', processorOrderId })
      else {
        await current()
          .refundOutside(request.orderKey, 100)
          .catch(() => undefined)
        const verdicts = await Promise.all(
          current()
            .notices()
            .map((post) => verify(post)),
        )
        expect(verdicts.filter((verdict) => verdict.ok && verdict.notice?.kind === 'dispute')).toEqual([])
      }
    })

    test('are verified with the same result each time', async () => {
      const { post, notice } = await paymentNotice()
      expect(await verify(post)).toEqual({ ok: true, notice })
    })

    test('are refused as forgeries when changed, unsigned or signed differently', async () => {
      const { post } = await paymentNotice()
      const changed = Buffer.from(post.body)
      changed[changed.length - 2] = (changed.at(-2) ?? 0) ^ 1
      const header = Object.keys(current().sign('{}').headers)[0] ?? ''
      const signature = post.headers[header] ?? ''
      const forged = signature.replace(/.$/, (last) => (last === '0' ? '1' : '0'))
      const bad = { ok: false, reason: 'bad_signature' }
      expect(await verify({ headers: post.headers, body: changed })).toEqual(bad)
      expect(await verify({ headers: {}, body: post.body })).toEqual(bad)
      expect(await verify({ headers: { [header]: '' }, body: post.body })).toEqual(bad)
      expect(await verify({ headers: { [header]: 'nonsense' }, body: post.body })).toEqual(bad)
      expect(await verify({ headers: { [header]: forged }, body: post.body })).toEqual(bad)
      expect(await verify({ headers: post.headers, body: Buffer.alloc(0) })).toEqual(bad)
    })

    test.each([-301, 302])('are stale when their time is %d seconds from now', async (seconds) => {
      const { post } = await paymentNotice()
      expect(await verify(post, new Date(Date.now() - seconds * 1_000))).toEqual({
        ok: false,
        reason: 'stale',
      })
    })

    test.each([-290, 290])('are accepted when their time is %d seconds from now', async (seconds) => {
      const { post } = await paymentNotice()
      expect(await verify(post, new Date(Date.now() - seconds * 1_000))).toMatchObject({ ok: true })
    })

    test.each(['', 'null', '[]', '{}', '{"notice_id":1}', 'not json', '"text"'])(
      'are refused over %j, even with a genuine signature',
      async (body) => {
        const verdict = await verify(current().sign(body))
        expect(verdict).toEqual({ ok: false, reason: body === '' ? expect.any(String) : 'malformed' })
      },
    )
  })
}
