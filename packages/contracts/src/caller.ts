import { z } from 'zod'
import { StaffRole } from './gateway/staff-roles.ts'
import { CapabilityName, idOf } from './primitives.ts'

/** The authenticated caller of a request. */
export const Callers = {
  partner: z.object({
    kind: z.literal('partner'),
    partnerId: idOf('partner'),
    /** The client, or the onboarding link, that calls for the partner. */
    clientId: z.union([idOf('client'), idOf('onboardingLink')]),
    /** Sent only to operations that declare `needsPartnerDefaults`. */
    defaultCapabilities: z.array(CapabilityName).optional(),
    /**
     * The client's daily refund limit in one currency, in its minor unit, where staff have set one. Sent only to
     * operations that declare `needsClientLimits`.
     */
    dailyRefundLimitCents: z.number().int().min(0).optional(),
  }),
  merchant: z.object({
    kind: z.literal('merchant'),
    merchantId: idOf('merchant'),
    /** The API key that it calls with, which its portal links end with; the portal itself has none. */
    keyId: z.string().optional(),
  }),
  operator: z.object({
    kind: z.literal('operator'),
    actor: z.string(),
    /** Sent to the operations of access alone; the gateway has checked it for those of other services. */
    role: StaffRole.optional(),
    /** The pending action that the request carries out. Known to the operations of access alone. */
    confirms: idOf('pendingAction').optional(),
  }),
  /** Another service of the platform, or the gateway for itself, named by its NATS user. */
  service: z.object({ kind: z.literal('service'), service: z.string() }),
  /** Nobody: a public resource. */
  public: z.object({ kind: z.literal('public') }),
} as const

export type CallerKind = keyof typeof Callers
export type CallerOf<K extends CallerKind> = z.infer<(typeof Callers)[K]>
export type Caller = CallerOf<CallerKind>
