import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { hashOfLeaf, pathOf, rootFromPath, rootOf, treeOf } from './merkle.ts'

/** The test data of the implementation that RFC 6962 came from (certificate-transparency, merkle_tree_test). */
const LEAVES = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
].map((hex) => hashOfLeaf(Buffer.from(hex, 'hex')))

test.each([
  [0, 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
  [1, '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d'],
  [2, 'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125'],
  [3, 'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77'],
  [4, 'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7'],
  [5, '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4'],
  [6, '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef'],
  [7, 'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c'],
  [8, '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328'],
])('gives %i leaves the root that RFC 6962 gives them', (size, root) => {
  expect(rootOf(LEAVES.slice(0, size)).toString('hex')).toBe(root)
})

const trees = fc
  .integer({ min: 1, max: 200 })
  .chain((size) => fc.record({ size: fc.constant(size), index: fc.integer({ min: 0, max: size - 1 }) }))
const leavesOf = (size: number): Buffer[] =>
  Array.from({ length: size }, (_, index) => hashOfLeaf(String(index)))

describe('a path', () => {
  test('leads each leaf of a tree of any size to its root', () => {
    fc.assert(
      fc.property(trees, ({ size, index }) => {
        const leaves = leavesOf(size)
        const leaf = leaves[index] as Buffer
        expect(rootFromPath(leaf, index, size, pathOf(treeOf(leaves), index))).toEqual(rootOf(leaves))
      }),
    )
  })

  test('does not lead another leaf, another place or a shortened path to the root', () => {
    fc.assert(
      fc.property(trees, ({ size, index }) => {
        const leaves = leavesOf(size)
        const [leaf, path, root] = [leaves[index] as Buffer, pathOf(treeOf(leaves), index), rootOf(leaves)]
        expect(rootFromPath(hashOfLeaf('another'), index, size, path)).not.toEqual(root)
        expect(rootFromPath(leaf, index, size, [...path, leaf])).not.toEqual(root)
        fc.pre(size > 1)
        expect(rootFromPath(leaf, index, size, path.slice(1))).not.toEqual(root)
        expect(rootFromPath(leaf, (index + 1) % size, size, path)).not.toEqual(root)
      }),
    )
  })
})
