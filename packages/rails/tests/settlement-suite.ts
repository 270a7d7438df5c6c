import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import type { RailFailure } from '../src/index.ts'
import type { SettlementLine, SettlementReport } from '../src/settlements.ts'

/** A processor whose orders can be moved, and the report under test. */
export type SettlementFixture = Readonly<{
  report: SettlementReport
  /** The same with calls that time out within a second; null where nothing is called. */
  impatient: SettlementReport | null
  /** A paid order. @returns the processor's id of the payment */
  pay: (cents: number, currency: string) => Promise<string>
  refund: (processorOrderId: string, cents: number) => Promise<void>
  /** The cardholder disputes the whole payment. */
  dispute: (processorOrderId: string) => Promise<void>
  /** Closes a settlement period: everything since the last one is paid out, a payout for each currency. */
  settle: () => Promise<void>
  fault: (mode: 'ok' | 'unreachable' | 'timeout' | 'reset' | 'error' | 'refuse') => Promise<void>
  stop: () => Promise<void>
}>

/** Reads to the end from a position. */
const readAll = async (report: SettlementReport, from: string | null = null) => {
  const lines: SettlementLine[] = []
  const pages: { position: string | null; read: number }[] = []
  let position = from
  for (;;) {
    pages.push({ position, read: lines.length })
    const page = await report.read(position)
    lines.push(...page.lines)
    position = page.position
    if (page.isLast) return { lines, pages, position }
  }
}
const byId = (lines: readonly SettlementLine[]) => new Map(lines.map((line) => [line.lineId, line]))

/**
 * Guarantees of every settlement report.
 * @param start a fresh processor and its report
 */
export const describeSettlementReport = (name: string, start: () => Promise<SettlementFixture>): void => {
  describe(`settlement report: ${name}`, () => {
    let fixture: SettlementFixture

    beforeEach(async () => {
      fixture = await start()
    })
    afterEach(() => fixture.stop())

    test('has no lines before a period is closed', async () => {
      await fixture.pay(10_000, 'EUR')
      const { lines, pages } = await readAll(fixture.report)
      expect([lines, pages.length]).toEqual([[], 1])
    })

    test('states payment, refund, dispute and payout with fees, nets and the id of the payment', async () => {
      const [first, second] = [await fixture.pay(10_000, 'EUR'), await fixture.pay(2_500, 'EUR')]
      await fixture.refund(first, 4_000)
      await fixture.dispute(second)
      await fixture.settle()
      const { lines } = await readAll(fixture.report)
      const stated = lines.map(({ kind, processorOrderId, grossCents }) => [
        kind,
        processorOrderId,
        kind === 'payout' ? 'all' : grossCents,
      ])
      expect(stated.toSorted()).toEqual(
        [
          ['payment', first, 10_000],
          ['payment', second, 2_500],
          ['refund', first, -4_000],
          ['dispute', second, -2_500],
          ['payout', null, 'all'],
        ].toSorted(),
      )
      const [payout] = lines.filter(({ kind }) => kind === 'payout')
      expect(payout).toMatchObject({ payoutRef: expect.any(String) })
      for (const line of lines) {
        expect(line).toMatchObject({ currency: 'EUR', payoutRef: payout?.payoutRef })
        expect(line.netCents).toBe(line.grossCents - line.feeCents)
        expect(line.availableOn).toMatch(/^\d{4}-\d\d-\d\d$/)
      }
      expect(lines.filter(({ kind }) => kind === 'dispute')).toMatchObject([{ feeCents: expect.any(Number) }])
      expect(lines.reduce((sum, { netCents }) => sum + netCents, 0)).toBe(0)
    })

    test.each([
      ['JPY', 1_250],
      ['ISK', 990],
      ['MGA', 40_000],
      ['KWD', 12_340],
    ])(
      'states an amount in %s in the minor unit of ISO 4217, and pays it out separately',
      async (currency, cents) => {
        const [euros, others] = [await fixture.pay(700, 'EUR'), await fixture.pay(cents, currency)]
        await fixture.settle()
        const { lines } = await readAll(fixture.report)
        expect(lines.filter(({ kind }) => kind === 'payout')).toHaveLength(2)
        const groups = Map.groupBy(lines, (line) => line.currency)
        expect([...groups.keys()].toSorted()).toEqual(['EUR', currency].toSorted())
        const of = (code: string) => groups.get(code)?.filter(({ kind }) => kind === 'payment')
        expect(of('EUR')).toMatchObject([{ processorOrderId: euros, grossCents: 700 }])
        expect(of(currency)).toMatchObject([{ processorOrderId: others, grossCents: cents }])
        for (const group of groups.values())
          expect(group.reduce((sum, { netCents }) => sum + netCents, 0)).toBe(0)
      },
    )

    test('reads a long report in pages, and the rest of it from the position of each page', async () => {
      for (let paid = 0; paid < 205; paid += 1) await fixture.pay(100 + paid, 'EUR')
      await fixture.settle()
      const { lines, pages } = await readAll(fixture.report)
      const payments = lines.filter(({ kind }) => kind === 'payment')
      expect(payments.map(({ grossCents }) => grossCents).toSorted((a, b) => a - b)).toEqual(
        Array.from({ length: 205 }, (_, paid) => 100 + paid),
      )
      expect(byId(lines).size).toBe(206)
      if (fixture.impatient !== null) expect(pages.length).toBeGreaterThan(2)
      for (const { position, read } of pages) {
        const rest = await readAll(fixture.report, position)
        expect(rest.lines).toEqual(lines.slice(read))
      }
    })

    test('reads a later period from the position of the former, and repeats lines only as they were', async () => {
      const first = await fixture.pay(10_000, 'EUR')
      await fixture.settle()
      const before = await readAll(fixture.report)
      const same = await readAll(fixture.report, before.position)
      for (const [id, line] of byId(same.lines)) expect(byId(before.lines).get(id)).toEqual(line)

      await fixture.refund(first, 500)
      await fixture.settle()
      const after = await readAll(fixture.report, same.position)
      const known = byId(before.lines)
      for (const line of after.lines) expect(known.get(line.lineId) ?? line).toEqual(line)
      const added = after.lines.filter(({ lineId }) => !known.has(lineId))
      expect(added.map(({ kind, netCents }) => [kind, netCents]).toSorted()).toEqual([
        ['payout', 500],
        ['refund', -500],
      ])
      expect(byId((await readAll(fixture.report)).lines)).toEqual(new Map([...known, ...byId(after.lines)]))
    })

    const FAILURES: readonly (readonly [Parameters<SettlementFixture['fault']>[0], RailFailure])[] = [
      ['unreachable', 'unreachable'],
      ['timeout', 'timeout'],
      ['reset', 'reset'],
      ['error', 'unavailable'],
      ['refuse', 'refused'],
    ]
    test.each(FAILURES)(
      'fails for the reason of a fault (%s), and continues from the same position',
      async (mode, failure) => {
        const { impatient, report } = fixture
        if (impatient === null) return
        await fixture.pay(10_000, 'EUR')
        await fixture.settle()
        const { position } = await readAll(report)
        await fixture.pay(300, 'EUR')
        await fixture.settle()
        await fixture.fault(mode)
        // The impatient one has no open connection: refusing connections may also cut one, which is a reset.
        const reader = mode === 'timeout' || mode === 'unreachable' ? impatient : report
        await expect(reader.read(position)).rejects.toMatchObject({ failure })
        await fixture.fault('ok')
        expect((await readAll(report, position)).lines).toContainEqual(
          expect.objectContaining({ kind: 'payment', grossCents: 300 }),
        )
      },
    )
  })
}
