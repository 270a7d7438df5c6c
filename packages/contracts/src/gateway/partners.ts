import { z } from 'zod'
import { preparationOf } from './four-eyes.ts'
import { get, patch, post } from '../http/methods.ts'
import { MAX_NAMES, NameList } from '../names.ts'
import { operation, resource } from '../operation.ts'
import {
  CapabilityName,
  cursorParameter,
  idOf,
  limitParameter,
  NextCursor,
  Scope,
  text,
  Timestamp,
} from '../primitives.ts'
import { AccountStatus, Client, ClientCredentials } from './clients.ts'

/** A partner platform (decisions §14). */
export const Partner = z.object({
  partner_id: idOf('partner'),
  name: z.string(),
  status: AccountStatus,
  scopes: z.array(Scope),
  default_capabilities: z.array(CapabilityName),
  created_at: Timestamp,
})
export type Partner = z.infer<typeof Partner>

const partnerParams = z.object({ partnerId: idOf('partner') })
const scopes = z.array(Scope).max(100)
const defaultCapabilities = z.array(CapabilityName).max(100)
const partnerReply = z.object({ partner: Partner })

export const PartnerList = z.object({ partners: z.array(Partner), next_cursor: NextCursor })

const PartnerUpdate = z.strictObject({
  name: text(200).optional(),
  scopes: scopes.optional(),
  default_capabilities: defaultCapabilities.optional(),
  status: AccountStatus.optional(),
})

/** `gateway.partners`: partners, which the gateway itself stores (decisions §14). */
export const partners = resource('gateway.partners', {
  create: operation({
    operationId: 'createPartner',
    http: post('/partners', { status: 201 }),
    role: 'admin',
    tag: 'Partners',
    fourEyes: ['keys'],
    summary: 'Create a partner with its first client',
    description: 'Use it when a platform signs up with you. The first client’s secret is shown only once.',
    caller: 'operator',
    body: z.strictObject({
      name: text(200),
      scopes: scopes.optional(),
      default_capabilities: defaultCapabilities.optional(),
    }),
    reply: z.object({ partner: Partner, client: ClientCredentials }),
  }),
  list: operation({
    operationId: 'listPartners',
    http: get('/partners'),
    role: 'viewer',
    tag: 'Partners',
    summary: 'List partners, oldest first',
    description: 'Use it to find a partner’s id.',
    caller: 'operator',
    query: z.object({ limit: limitParameter(50, 100), cursor: cursorParameter }),
    reply: PartnerList,
    refusals: ['invalid_cursor'],
  }),
  listNames: operation({
    operationId: 'listPartnerNames',
    http: post('/partners/names'),
    role: 'viewer',
    tag: 'Partners',
    safe: true,
    summary: 'List the names of partners by id',
    description:
      'Use it to show names next to the ids of a list. It is a POST because a list has up to 100 ids.',
    caller: 'operator',
    body: z.strictObject({ ids: z.array(idOf('partner')).max(MAX_NAMES) }),
    reply: NameList,
  }),
  get: operation({
    operationId: 'getPartner',
    http: get('/partners/:partnerId'),
    role: 'viewer',
    tag: 'Partners',
    summary: 'Get a partner and its clients',
    description: 'Use it to see a partner’s clients and what they may do.',
    caller: 'operator',
    params: partnerParams,
    reply: z.object({ partner: Partner, clients: z.array(Client) }),
    refusals: ['resource_not_found'],
  }),
  update: operation({
    operationId: 'updatePartner',
    http: patch('/partners/:partnerId'),
    role: 'admin',
    tag: 'Partners',
    fourEyes: ['keys'],
    preparedBy: 'prepareUpdate',
    summary: 'Update a partner; status and scopes apply to issued tokens within one second',
    description:
      'Use it to disable a partner, or to change its scopes and default capabilities. A disabled partner receives no events until it is enabled.',
    caller: 'operator',
    params: partnerParams,
    body: PartnerUpdate,
    reply: partnerReply,
    refusals: ['resource_not_found'],
  }),
  prepareUpdate: operation({
    summary: 'Get the groups of actions that an update of a partner belongs to',
    caller: 'operator',
    params: partnerParams,
    body: PartnerUpdate,
    reply: preparationOf(z.null()),
  }),
})
