import {
  CRLF,
  dead,
  delivered,
  failed,
  retried,
  whole,
  writes,
  type Behaviour,
  type Outcome,
} from './behaviour.ts'

const BODY = 'said so'
const carries = (code: number) => (code === 204 || code === 304 ? '' : BODY)

const each = (
  row: string,
  codes: readonly number[],
  outcome: (code: number, body: string | null) => Outcome,
  headers: readonly string[] = [],
): Behaviour[] =>
  codes.map((code) => ({
    receiver: `answers ${code}`,
    row: `answers ${row}: ${codes.join(', ')}`,
    answer: writes(whole(code, carries(code), headers)),
    outcome: outcome(code, carries(code) || null),
  }))

/** Addresses that a client which follows redirects would dial. */
const LURES = [
  'http://169.254.169.254/latest/meta-data/',
  'http://127.0.0.1:1/',
  'https://10.0.0.1/',
  '//[::1]/',
]

const interim = (code: number, headers: readonly string[] = []) =>
  [`HTTP/1.1 ${code} Interim`, ...headers, '', ''].join(CRLF)

const INTERIM: Behaviour[] = (
  [
    ['100', interim(100)],
    ['102', interim(102)],
    ['103 with hints', interim(103, ['link: </style.css>; rel=preload'])],
    ['100, 102 and 103', interim(100) + interim(102) + interim(103)],
    ['100 a hundred times', interim(100).repeat(100)],
  ] as const
).map(([name, bytes]) => ({
  receiver: `says ${name} and then 200`,
  answer: writes(bytes + whole(200, BODY)),
  outcome: delivered(200, BODY),
}))

const SPLIT: Behaviour[] = [
  {
    receiver: 'says 100 and then 200, a byte at a time',
    answer: (socket) => {
      const bytes = interim(100, ['x-interim: yes']) + whole(200, BODY)
      let sent = 0
      const next = () => {
        if (sent === bytes.length) return
        socket.write(bytes.slice(sent, ++sent), () => setImmediate(next))
      }
      next()
    },
    outcome: delivered(200, BODY),
  },
  {
    receiver: 'says 100 and then 404',
    answer: writes(interim(100) + whole(404, BODY)),
    outcome: dead(404, BODY),
  },
  {
    receiver: 'keeps its connection and says 100 before each answer',
    answer: writes(interim(100) + whole(200, BODY)),
    deliveries: 3,
    outcome: delivered(200, BODY),
  },
  {
    receiver: 'switches protocols (101 with `upgrade`)',
    answer: writes(interim(101, ['connection: upgrade', 'upgrade: websocket'])),
    outcome: failed('answer is not HTTP/1.1'),
  },
  {
    receiver: 'says 101 and no more',
    answer: writes(interim(101)),
    outcome: failed('answer is not HTTP/1.1'),
  },
]

/** Status codes from 1xx to 999 (decisions §12). */
export const STATUS_CODES: readonly Behaviour[] = [
  ...each('a 2xx', [200, 201, 202, 203, 204, 205, 206, 207, 226, 299], delivered),
  ...LURES.flatMap((location) =>
    each('a redirect, wherever it points', [301, 302, 303, 307, 308], retried, [`location: ${location}`]).map(
      (behaviour) => ({ ...behaviour, receiver: `${behaviour.receiver} towards ${location}` }),
    ),
  ),
  ...each('another 3xx', [300, 304, 305, 399], retried),
  ...each('a 4xx that says "later"', [408, 409, 425, 429], retried),
  ...each(
    'any other 4xx',
    [400, 401, 402, 403, 404, 405, 406, 407, 410, 411, 412, 413, 414, 415, 418, 422, 426, 431, 451, 499],
    dead,
  ),
  ...each('a 5xx', [500, 501, 502, 503, 504, 507, 511, 520, 599], retried),
  ...each('a code beyond 5xx', [600, 700, 888, 999], retried),
  ...INTERIM,
  ...SPLIT,
]
