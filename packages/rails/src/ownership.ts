/** Proofs that somebody holds the key of an address. A separate entry: no other code of the networks verifies signatures. */
export { hasProof, isProof } from './chain/ownership/proof.ts'
