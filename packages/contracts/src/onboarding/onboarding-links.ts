import { z } from 'zod'
import { customerParams } from './customers.ts'
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
    summary: 'Make a link by which a customer completes its onboarding itself',
    description:
      'Use it to let the customer fill in what is missing, on any number of visits and devices, until the link expires or you end it. Send the address to the customer alone: whoever has it acts for it.',
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
    summary: 'End a link: it opens nothing any more',
    description: 'Use it when a link went to the wrong person, or is not needed any more.',
    params: customerParams.extend({ onboardingLinkId: idOf('onboardingLink') }),
    reply: z.object({}),
    refusals: ['resource_not_found'],
  }),
  open: operation({
    summary: 'Find whose onboarding a token opens; what is expired, ended or unknown is not found alike',
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
