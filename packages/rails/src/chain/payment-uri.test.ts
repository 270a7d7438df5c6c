import { describe, expect, test } from '@jest/globals'
import { getAddress } from 'viem/utils'
import { createDestinations } from './destinations.ts'
import { paymentUri, SANDBOX_ACCOUNTS } from './networks.ts'
import { TOKEN_CONTRACTS } from './networks/eth.ts'

const destinations = createDestinations(SANDBOX_ACCOUNTS)
const uri = (
  network: 'BTC' | 'LTC' | 'ETH' | 'SOL' | 'XRP',
  asset: 'BTC' | 'LTC' | 'ETH' | 'USDC' | 'SOL' | 'XRP',
  amount: string,
) => paymentUri({ ...destinations.derive(network, 1), network, asset, amount })

describe('payment URI', () => {
  test('follows BIP-21 with the amount in whole coins for BTC and LTC', () => {
    expect(uri('BTC', 'BTC', '0.00041667')).toBe(
      'bitcoin:bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g?amount=0.00041667',
    )
    expect(uri('LTC', 'LTC', '1.50')).toBe('litecoin:ltc1qwlezpr3890hcp6vva9twqh27mr6edadreqvhnn?amount=1.5')
  })

  test('follows EIP-681 with the exact amount in wei for ETH', () => {
    expect(uri('ETH', 'ETH', '1.000000000000000001')).toBe(
      'ethereum:0x6Fac4D18c912343BF86fa7049364Dd4E424Ab9C0@1?value=1000000000000000001',
    )
  })

  test("calls the contract's transfer by EIP-681 with the amount in the smallest unit for tokens", () => {
    expect(uri('ETH', 'USDC', '27.173914')).toBe(
      'ethereum:0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48@1/transfer' +
        '?address=0x6Fac4D18c912343BF86fa7049364Dd4E424Ab9C0&uint256=27173914',
    )
  })

  test('follows Solana Pay with the reference of the order for SOL', () => {
    expect(uri('SOL', 'SOL', '0.000000001')).toBe(
      'solana:HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk?amount=0.000000001' +
        '&reference=5bcKc9z4Z2nBou9Ss3WVNt99BcriXKarJ5PHKRueLihG',
    )
  })

  test('contains the classic address with the tag of the order for XRP', () => {
    expect(uri('XRP', 'XRP', '100')).toBe('xrpl:rHsMGQEkVNJmpGWs8XUBoTBiAAbwxZN5v3?amount=100&dt=1')
  })

  test('refuses an amount that the chain cannot represent, instead of rounding it', () => {
    expect(() => uri('BTC', 'BTC', '0.000000001')).toThrow(RangeError)
    expect(() => uri('BTC', 'BTC', '1e-7')).toThrow(RangeError)
  })

  test('spells the contracts of tokens with their checksum', () => {
    for (const contract of Object.values(TOKEN_CONTRACTS)) expect(getAddress(contract)).toBe(contract)
  })
})
