import { afterAll, beforeAll, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { actions, expectModel, type Model, type Real } from './model.ts'
import { startFixture, type Fixture } from './fixture.ts'

const isSoak = process.env['SOAK'] !== undefined
/** `MODEL_SEED` repeats a run; the short form always takes the same steps. */
const seed = Number(process.env['MODEL_SEED'] ?? (isSoak ? Date.now() % 2 ** 31 : 1))
const RUNS = isSoak ? 100 : 5
const STEPS = isSoak ? 60 : 30

let fixture: Fixture
beforeAll(async () => {
  fixture = await startFixture()
})
afterAll(() => fixture.stop())

type Expected = Model['orders'][number]
type Step = fc.AsyncCommand<Model, Real>

/** A step on one of the present orders. */
const onOrder = (
  which: number,
  description: string,
  act: (expected: Expected, real: Real) => Promise<void>,
): Step => ({
  check: ({ orders }) => orders.length > 0,
  async run(model, real) {
    model.steps += 1
    await act(model.orders[which % model.orders.length] as Expected, real)
  },
  toString: () => `order ${which}: ${description}`,
})

const newOrder: Step = {
  check: () => true,
  async run(model, real) {
    model.steps += 1
    await actions.newOrder(model, real)
  },
  toString: () => 'new order',
}

const order = fc.nat(7)
const cents = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 4_000 }) },
  { weight: 1, arbitrary: fc.constantFrom(1, 10_249, 10_250, 10_251) },
)
const fault = fc.oneof(
  { weight: 3, arbitrary: fc.constant('well' as const) },
  {
    weight: 2,
    arbitrary: fc.constantFrom('refuse', 'throttle', 'fail', 'lose_request', 'lose_answer', 'double'),
  },
)
const steps = [
  fc.constant(newOrder),
  fc.constant(newOrder),
  fc
    .tuple(order, cents, fault)
    .map(([which, amount, how]) =>
      onOrder(which, `refund ${amount}, ${how}`, (expected, real) =>
        actions.refund(expected, real, amount, how),
      ),
    ),
  fc
    .tuple(order, cents, fault)
    .map(([which, amount, how]) =>
      onOrder(which, `refund ${amount}, ${how}`, (expected, real) =>
        actions.refund(expected, real, amount, how),
      ),
    ),
  fc
    .tuple(order, fc.array(cents, { minLength: 2, maxLength: 6 }))
    .map(([which, amounts]) =>
      onOrder(which, `concurrently ${amounts.join()}`, (expected, real) =>
        actions.together(expected, real, amounts),
      ),
    ),
  fc
    .tuple(order, fc.nat(20))
    .map(([which, key]) =>
      onOrder(which, `replay ${key}`, (expected, real) => actions.replay(expected, real, key)),
    ),
  fc
    .tuple(order, cents)
    .map(([which, amount]) =>
      onOrder(which, `elsewhere ${amount}`, (expected, real) => actions.elsewhere(expected, real, amount)),
    ),
  fc
    .tuple(order, cents, fc.nat(60))
    .map(([which, amount, ms]) =>
      onOrder(which, `refund ${amount}, killed after ${ms} ms`, (expected, real) =>
        actions.killDuring(expected, real, amount, ms),
      ),
    ),
  order.map((which) => onOrder(which, 'dispute', actions.dispute)),
]

test(
  `follows a small model in orders, refunds, refunds elsewhere, disputes, kills and replays (seed ${seed})`,
  async () => {
    const real: Real = { fixture, service: fixture.load('refunds'), next: fixture.load('refunds') }
    await real.service.start()
    let taken = 0
    await fc.assert(
      fc.asyncProperty(fc.commands(steps, { maxCommands: STEPS, size: 'max' }), async (commands) => {
        const model: Model = { orders: [], steps: 0 }
        await fc.asyncModelRun(() => ({ model, real }), commands)
        await expectModel(model, real)
        taken += model.steps
      }),
      { seed, numRuns: RUNS, endOnFailure: true },
    )
    expect(taken).toBeGreaterThan(isSoak ? 2_000 : 40)
  },
  isSoak ? 7_200_000 : 900_000,
)
