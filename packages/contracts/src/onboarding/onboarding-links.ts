import { z } from 'zod'
import { customerParams } from './customers.ts'
import { del, post } from '../http/methods.ts'
import { operation, resource } from '../operation.ts'
import { idOf, Timestamp } from '../primitives.ts'
import { HttpsUrl } from '../web-address.ts'

/** Most links of one customer that are neither expired nor ended. */
export const MAX_ONBOARDING_LINKS = 100
const MAX_EXPIRES_IN_HOURS = 720
/** A link without `expires_in_hours` lives for a week. */
export const DEFAULT_EXPIRES_IN_HOURS = 168

/** A link to the hosted onboarding of one customer; the address is shown once. */
export const OnboardingLink = z.object({
  onboarding_link_id: idOf('onboardingLink'),
  url: z.string(),
  expires_at: Timestamp,
})

/** `onboarding.onboarding-links` (decisions §22). */
export const onboardingLinks = resource('onboarding.onboarding-links', {
  create: operation({
    operationId: 'createOnboardingLink',
    http: post('/customers/:customerId/onboarding-links', { scopes: ['kyb:write'], status: 201 }),
    tag: 'Customers',
    summary: 'Create a link with which a customer completes its onboarding',
    description:
      'Use it to let the customer supply missing data. The link works on any number of visits and devices until it expires or you end it. Send it only to the customer: anyone who has it acts for the customer.',
    params: customerParams,
    body: z
      .strictObject({
        return_url: HttpsUrl.optional(),
        expires_in_hours: z.number().int().min(1).max(MAX_EXPIRES_IN_HOURS).optional(),
      })
      .optional(),
    reply: z.object({ onboarding_link: OnboardingLink }),
    refusals: ['resource_not_found', 'limit_reached'],
  }),
  end: operation({
    operationId: 'endOnboardingLink',
    http: del('/customers/:customerId/onboarding-links/:onboardingLinkId', {
      scopes: ['kyb:write'],
      status: 204,
    }),
    tag: 'Customers',
    summary: 'End an onboarding link',
    description: 'Use it when a link went to the wrong person or is no longer needed.',
    params: customerParams.extend({ onboardingLinkId: idOf('onboardingLink') }),
    reply: z.object({}),
    refusals: ['resource_not_found'],
  }),
  open: operation({
    summary: 'Get the customer of an onboarding token; not found if expired, ended or unknown',
    caller: 'public',
    params: z.object({ token: z.string() }),
    reply: z.object({
      onboarding_link_id: idOf('onboardingLink'),
      partner_id: idOf('partner'),
      partner_customer_id: idOf('relationship'),
      return_url: z.string().nullable(),
      expires_at: Timestamp,
    }),
    refusals: ['resource_not_found'],
  }),
})
