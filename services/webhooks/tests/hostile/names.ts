import { setTimeout as sleep } from 'node:timers/promises'
import { UnresolvedNameError } from '../../src/connect-guard/failure.ts'
import { delivered, failed, type Outcome } from './behaviour.ts'

/** The name servers' answer to one look-up. */
export type LookUp = () => Promise<readonly string[]>

/** A receiver whose name answers in a certain way. What is dialled is recorded, and goes nowhere. */
export type NameBehaviour = Readonly<{
  /** In the words of the page, after "A receiver whose name". */
  receiver: string
  row?: string
  /** One a delivery, for the connection does not outlive it. */
  lookUps: readonly LookUp[]
  /** Every address that is dialled for all of them. */
  dialled: readonly string[]
  outcomes: readonly Outcome[]
}>

/** Addresses that a receiver may have. The recorder connects the first to a receiver on loopback. */
export const PUBLIC = '8.8.8.8'
/** Refuses connections. */
export const REFUSING = '9.9.9.9'
/** Never answers. */
export const SILENT = '1.1.1.1'

const says =
  (...addresses: string[]): LookUp =>
  async () =>
    addresses
const never: LookUp = () => new Promise(() => undefined)

const OK = delivered(200, 'ok')
const FORBIDDEN = failed('forbidden address')

const leads = (
  receiver: string,
  lookUp: LookUp,
  dialled: readonly string[],
  outcome: Outcome,
): NameBehaviour => ({ receiver, lookUps: [lookUp], dialled, outcomes: [outcome] })

const NOT_PUBLIC: readonly (readonly [what: string, address: string])[] = [
  ['loopback', '127.0.0.1'],
  ['loopback', '127.255.255.254'],
  ['loopback', '::1'],
  ['loopback, IPv4-mapped', '::ffff:127.0.0.1'],
  ['loopback, IPv4-mapped', '::ffff:7f00:1'],
  ['loopback, IPv4-compatible', '::127.0.0.1'],
  ['loopback behind NAT64', '64:ff9b::7f00:1'],
  ['loopback behind 6to4', '2002:7f00:1::'],
  ['loopback behind Teredo', '2001:0:808:808::80ff:fffe'],
  ['no address', '0.0.0.0'],
  ['no address', '::'],
  ['a private network', '10.0.0.1'],
  ['a private network', '172.16.0.1'],
  ['a private network', '192.168.0.1'],
  ['a private network', 'fd12:3456::1'],
  ['a link, where clouds keep their metadata', '169.254.169.254'],
  ['a link', 'fe80::1'],
  ['a link, with a zone', 'fe80::1%eth0'],
  ['a carrier’s shared network', '100.64.0.1'],
  ['multicast', '224.0.0.1'],
  ['multicast', 'ff02::1'],
  ['broadcast', '255.255.255.255'],
  ['documentation', '192.0.2.1'],
  ['documentation', '2001:db8::1'],
]

const REBINDING: readonly NameBehaviour[] = [
  {
    receiver: 'changes to a private address between two look-ups',
    lookUps: [says(PUBLIC), says('10.0.0.1')],
    dialled: [PUBLIC],
    outcomes: [OK, FORBIDDEN],
  },
  {
    receiver: 'changes to loopback and back between look-ups',
    lookUps: [says(PUBLIC), says('127.0.0.1'), says(PUBLIC)],
    dialled: [PUBLIC, PUBLIC],
    outcomes: [OK, FORBIDDEN, OK],
  },
]

/** Answers that come, whatever they are. */
export const NAMES: readonly NameBehaviour[] = [
  leads('leads to a public address', says(PUBLIC), [PUBLIC], OK),
  leads(
    'does not resolve',
    () => Promise.reject(new UnresolvedNameError('No such name')),
    [],
    failed('name not resolved'),
  ),
  leads('resolves to nothing', says(), [], failed('name not resolved')),
  leads('resolves after a while', () => sleep(300, [PUBLIC]), [PUBLIC], OK),
  leads('resolves to something that is no address', says('localhost'), [], FORBIDDEN),
  leads(
    'resolves to a public address that refuses',
    says(REFUSING),
    [REFUSING],
    failed('connection refused'),
  ),
  leads(
    'resolves to an address that refuses and one that answers',
    says(REFUSING, PUBLIC),
    [REFUSING, PUBLIC],
    OK,
  ),
  leads(
    'resolves to an address that is silent and one that answers',
    says(SILENT, PUBLIC),
    [SILENT, PUBLIC],
    OK,
  ),
  ...NOT_PUBLIC.flatMap(([what, address]): NameBehaviour[] => [
    { ...leads(`leads to ${what} (${address})`, says(address), [], FORBIDDEN), row: `leads to ${what}` },
    {
      ...leads(`leads to a public address and to ${address}`, says(PUBLIC, address), [], FORBIDDEN),
      row: 'leads to a public address and to one of those as well',
    },
  ]),
  ...REBINDING,
]

/** Answers that do not come before the deadline. */
export const NAMES_WITHOUT_END: readonly NameBehaviour[] = [
  leads('never resolves', never, [], failed('timeout')),
  leads('resolves to an address that is silent', says(SILENT), [SILENT], failed('timeout')),
]
