/** Agreed fee of a payment: hundredths of a percent, and minor units of the payment's currency. */
type Fee = Readonly<{ basisPoints: number; fixedCents: number }>

/** The agreed fees of card processors, by the processor's key. */
export type ProcessorFees = ReadonlyMap<string, Fee>

const FORM = /^([a-z][a-z0-9_]{0,49})=(\d{1,2})(?:\.(\d{1,2}))?%(?:\+(\d{1,6}))?$/

/**
 * Reads `stripe=1.4%+25,other=2%`: percent of a payment, and minor units of its currency.
 * @throws Error for a text of another form
 */
export const parseProcessorFees = (text: string): ProcessorFees => {
  const fees = new Map<string, Fee>()
  for (const part of text.split(',').filter((each) => each !== '')) {
    const [, processor, whole, hundredths = '', fixed = '0'] = FORM.exec(part.trim()) ?? []
    if (processor === undefined || whole === undefined || fees.has(processor))
      throw new Error('must name each processor once, such as stripe=1.4%+25,other=2%')
    const basisPoints = Number(whole) * 100 + Number(hundredths.padEnd(2, '0'))
    fees.set(processor, { basisPoints, fixedCents: Number(fixed) })
  }
  return fees
}

/** The agreed fee of a payment, rounded half up; null where no fee was agreed. */
export const agreedFee = (fees: ProcessorFees, processor: string, grossCents: number): number | null => {
  const fee = fees.get(processor)
  if (fee === undefined) return null
  return Number((BigInt(grossCents) * BigInt(fee.basisPoints) + 5_000n) / 10_000n) + fee.fixedCents
}
