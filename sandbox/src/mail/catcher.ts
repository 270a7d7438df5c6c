import { buffer } from 'node:stream/consumers'
import type { AddressInfo } from 'node:net'
import type { Clock } from '@causeway/chassis'
import { SMTPServer } from 'smtp-server'
import type { Inbox } from './inbox.ts'

export const MAIL_MODES = ['ok', 'refuse', 'refuse_temporarily', 'slow'] as const
/** `count`: how many more mails it applies to; null: all until the next fault. */
export type MailFault = Readonly<{ mode: (typeof MAIL_MODES)[number]; count: number | null }>

const NO_FAULT: MailFault = { mode: 'ok', count: null }
const MAX_BYTES = 1_048_576
const SLOW_MS = 3_000
const CLOSE_MS = 300

/** A mail server that accepts everything and delivers nothing: mails end in the inbox. */
export type MailCatcher = Readonly<{
  setFault: (fault: MailFault) => void
  /** @throws Error of one line when the port is taken */
  open: () => Promise<void>
  close: () => Promise<void>
  /** Known after `open`. */
  port: () => number
}>

type Options = Readonly<{ inbox: Inbox; clock: Clock; host: string; port: number }>

const refusal = (status: number, text: string) => Object.assign(new Error(text), { responseCode: status })

const REFUSALS = {
  refuse: () => refusal(550, 'No such mailbox (fault of the sandbox)'),
  refuse_temporarily: () => refusal(451, 'Try again later (fault of the sandbox)'),
} as const

export const createMailCatcher = ({ inbox, clock, host, port }: Options): MailCatcher => {
  let fault = NO_FAULT
  let listening: number | null = null
  const takeFault = (): MailFault['mode'] => {
    const { mode, count } = fault
    if (count !== null) fault = count <= 1 ? NO_FAULT : { mode, count: count - 1 }
    return mode
  }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    size: MAX_BYTES,
    logger: false,
    closeTimeout: CLOSE_MS,
    onRcptTo(_address, _session, done) {
      const mode = takeFault()
      if (mode === 'refuse' || mode === 'refuse_temporarily') done(REFUSALS[mode]())
      else if (mode === 'slow') setTimeout(() => done(), SLOW_MS)
      else done()
    },
    onData(stream, session, done) {
      const to = session.envelope.rcptTo.map(({ address }) => address)
      buffer(stream)
        .then((source) => inbox.receive(source, to, clock.now()))
        .then(
          () => done(),
          () => done(refusal(451, 'The mail could not be read')),
        )
    },
  })
  // A client that leaves early is no concern of the sandbox.
  server.on('error', () => undefined)
  return {
    setFault: (next) => void (fault = next),
    open: () =>
      new Promise((resolve, reject) => {
        server.server.once('error', (error: NodeJS.ErrnoException) =>
          reject(error.code === 'EADDRINUSE' ? new Error(`SANDBOX_MAIL_PORT ${port} is taken`) : error),
        )
        server.listen(port, host, () => {
          listening = (server.server.address() as AddressInfo).port
          resolve()
        })
      }),
    close: () =>
      new Promise((resolve) => {
        if (listening === null) resolve()
        else server.close(() => resolve())
      }),
    port: () => listening ?? port,
  }
}
