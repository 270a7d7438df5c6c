import { BlockList, isIPv6 } from 'node:net'

/** Decides whether a client may call from an address. */
export type AddressRule = (address: string) => boolean

const familyOf = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4')

/**
 * Compiles a client's list of allowed addresses.
 * @param blocks addresses and CIDR blocks of either family; null allows every address
 * @returns null where every address is allowed
 */
export const addressRuleOf = (blocks: readonly string[] | null): AddressRule | null => {
  if (blocks === null) return null
  const list = new BlockList()
  for (const block of blocks) {
    const [address = '', bits] = block.split('/')
    if (bits === undefined) list.addAddress(address, familyOf(address))
    else list.addSubnet(address, Number(bits), familyOf(address))
  }
  return (address) => list.check(address, familyOf(address))
}
