import { join, resolve } from 'node:path'
import type { Result } from '../measure/rounds.ts'
import { ratioLines } from '../report.ts'
import type { Site } from './bench.ts'
import { startProduct, type Product } from './product.ts'

/**
 * The product, and where the site names another checkout, that one's as well: both are idle except in their own turns.
 *
 * @param contend makes a contender of a started platform
 */
export const startCompared = async <Contender>(
  { folder, keep, against }: Site,
  contend: (name: string, product: Product) => Promise<Contender>,
): Promise<readonly [Contender, ...Contender[]]> => {
  const product = await contend('product', keep(await startProduct(join(folder, 'here'))))
  if (against === undefined) return [product]
  const other = keep(await startProduct(join(folder, 'against'), {}, resolve(against)))
  return [product, await contend('compared', other)]
}

/** The product's ratios to the product of the other checkout, where there is one. */
export const comparedLines = (product: Result, compared: Result | undefined): string[] =>
  compared ? ratioLines(product, compared, 'the other checkout') : []
