import type { ReceivingAccounts } from './destinations.ts'

/**
 * Receiving accounts of the sandbox, for development and tests: the first account of the well-known
 * test mnemonic "abandon … about" (BIP-39 test vectors) on each chain, public parts only.
 * Everyone knows its private keys: whatever is sent there on a real chain is lost.
 */
export const SANDBOX_ACCOUNTS: ReceivingAccounts = {
  BTC: 'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs',
  LTC: 'zpub6rPo5mF47z5coVm5rvWv7fv181awb7Vckn5Cf3xQXBVKu18kuBHDhNi1Jrb4br6vVD3ZbrnXemEsWJoR18mZwkUdzwD8TQnHDUCGxqZ6swA',
  ETH: 'xpub6DCoCpSuQZB2jawqnGMEPS63ePKWkwWPH4TU45Q7LPXWuNd8TMtVxRrgjtEshuqpK3mdhaWHPFsBngh5GFZaM6si3yZdUsT8ddYM3PwnATt',
  SOL: 'HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk',
  XRP: 'rHsMGQEkVNJmpGWs8XUBoTBiAAbwxZN5v3',
}
