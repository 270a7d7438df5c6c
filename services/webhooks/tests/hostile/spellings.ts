import type { FieldReason } from '@causeway/contracts'

/** A way to write an address that no delivery may reach. */
export type Spelling = Readonly<{
  /** In the words of the page. */
  what: string
  url: string
  /** Why it cannot be registered; null for a name, which is checked at every connect. */
  refusal: FieldReason | null
}>

const forbidden = (what: string, ...urls: string[]): Spelling[] =>
  urls.map((url) => ({ what, url, refusal: 'forbidden_address' }))
const invalid = (what: string, ...urls: string[]): Spelling[] =>
  urls.map((url) => ({ what, url, refusal: 'invalid_value' }))
const name = (what: string, ...urls: string[]): Spelling[] =>
  urls.map((url) => ({ what, url, refusal: null }))

/** Every spelling of loopback and its like (decisions §12). */
export const SPELLINGS: readonly Spelling[] = [
  ...forbidden('dotted', 'https://127.0.0.1/', 'https://127.0.0.1:8443/', 'https://127.1.2.3/'),
  ...forbidden('with a dot at the end', 'https://127.0.0.1./'),
  ...forbidden('decimal', 'https://2130706433/', 'https://2130706433./'),
  ...forbidden('octal', 'https://0177.0.0.1/', 'https://017700000001/', 'https://000177.0.0.01/'),
  ...forbidden('hexadecimal', 'https://0x7f000001/', 'https://0x7F.0x0.0x0.0x1/', 'HTTPS://0X7F000001/'),
  ...forbidden('short', 'https://127.1/', 'https://127.0.1/', 'https://0/'),
  ...forbidden('of mixed bases', 'https://0x7f.1/', 'https://0177.0x0.1/', 'https://127.0x000001/'),
  ...forbidden('percent-encoded', 'https://%31%32%37.0.0.1/', 'https://127%2e0%2e0%2e1/'),
  ...forbidden(
    'in full-width or circled characters',
    'https://１２７.０.０.１/',
    'https://127。0。0。1/',
    'https://①②⑦.⓪.⓪.①/',
  ),
  ...forbidden('with white space that URLs drop', 'https://127.0.\n0.1/', ' https://127.\t0.0.1/ '),
  ...forbidden('with backslashes', 'https:\\\\127.0.0.1\\hook', 'https:127.0.0.1/'),
  ...forbidden('IPv6', 'https://[::1]/', 'https://[0:0:0:0:0:0:0:1]/', 'https://[0000::0001]:8443/'),
  ...forbidden(
    'IPv4-mapped IPv6',
    'https://[::ffff:127.0.0.1]/',
    'https://[::FFFF:7F00:1]/',
    'https://[0:0:0:0:0:ffff:7f00:0001]/',
  ),
  ...forbidden('IPv4-compatible IPv6', 'https://[::127.0.0.1]/', 'https://[::7f00:1]/'),
  ...forbidden(
    'NAT64, 6to4, Teredo',
    'https://[64:ff9b::127.0.0.1]/',
    'https://[2002:7f00:1::]/',
    'https://[2001:0:808:808::80ff:fffe]/',
  ),
  ...forbidden('unspecified', 'https://0.0.0.0/', 'https://[::]/'),
  ...forbidden(
    'another address of the platform’s own network',
    'https://10.0.0.1/',
    'https://172.31.255.255/',
    'https://192.168.1.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://2852039166/latest/meta-data/',
    'https://[fd00:ec2::254]/',
    'https://[fe80::1]/',
  ),
  ...invalid('IPv6 with a zone', 'https://[::1%25lo]/', 'https://[fe80::1%25eth0]/', 'https://[::1%lo]/'),
  ...invalid('with credentials', 'https://example.org@127.0.0.1/', 'https://user:password@127.0.0.1/'),
  ...invalid('too long or out of range', 'https://127.0.0.1.1/', 'https://256.0.0.1/', 'https://4294967297/'),
  ...invalid('with NUL', 'https://127.0.0.1%00.example.org/'),
  ...name('the name localhost', 'https://localhost/', 'https://LOCALHOST/', 'https://localhost./'),
  ...name('a name below localhost', 'https://hooks.localhost/', 'https://Hooks.LocalHost./'),
  ...name('localhost in full-width letters', 'https://ｌｏｃａｌｈｏｓｔ/'),
]
