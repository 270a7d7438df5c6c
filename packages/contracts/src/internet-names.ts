import { z } from 'zod'

const ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?'
/** Labels of other scripts begin with `xn--` (RFC 5890 §2.3.2.1); zod's own patterns refuse them. */
const TOP_LEVEL = '(?:[A-Za-z]{2,63}|xn--[A-Za-z0-9-]{1,59})'
const NAME = `(?:${LABEL}\\.)+${TOP_LEVEL}`

/** A domain name in ASCII. */
export const DOMAIN_NAME = new RegExp(`^(?=.{1,253}$)${NAME}$`)

/** An e-mail address: a dot-atom at a domain name (RFC 5322 §3.4.1). zod's own pattern refuses half of what an atom may hold. */
export const EmailAddress = z.email({ pattern: new RegExp(`^${ATOM}(?:\\.${ATOM})*@${NAME}$`) }).max(254)
