import { z } from 'zod'
import { customerParams } from './customers.ts'
import { DocumentType } from './documents.ts'
import { characters } from './kyb-fields.ts'
import { get, patch, post } from '../http/methods.ts'
import { operation, resource } from '../operation.ts'
import { idOf, NextCursor, pageParameters, text, Timestamp, TimestampInput } from '../primitives.ts'

export const RequirementStatus = z.enum(['open', 'fulfilled', 'satisfied', 'cancelled'])
export type RequirementStatus = z.infer<typeof RequirementStatus>

/** The requested item of a requirement. */
export const RequirementKind = z.enum(['document', 'field', 'clarification'])

/** Who has raised a requirement, from the reader's side. */
export const RequirementRaiser = z.enum(['you', 'partner', 'service'])

/** An outstanding item of a submitted case, as one party sees it (spec: Requirement). */
export const Requirement = z.object({
  requirement_id: idOf('requirement'),
  kind: RequirementKind,
  target: z.string().nullable(),
  document_type: DocumentType.nullable(),
  message: z.string(),
  status: RequirementStatus,
  /** From the reader's side; another partner's id is never shown. */
  raised_by: RequirementRaiser,
  document_id: idOf('document').nullable(),
  due_at: Timestamp.nullable(),
  created_at: Timestamp,
  updated_at: Timestamp.nullable(),
  resolved_at: Timestamp.nullable(),
})
export type Requirement = z.infer<typeof Requirement>

export const RaiseRequirement = z
  .strictObject({
    kind: RequirementKind,
    target: text(255).nullable().optional(),
    document_type: DocumentType.nullable().optional(),
    message: characters(500).min(1),
    due_at: TimestampInput.nullable().optional(),
  })
  .refine((raised) => raised.document_type == null || raised.kind === 'document', {
    path: ['document_type'],
    params: { reason: 'invalid_value', expected: 'a document type only if kind is document' },
  })

export type RaiseRequirement = z.infer<typeof RaiseRequirement>

const UpdateRequirement = z
  .strictObject({ status: RequirementStatus, document_id: idOf('document').optional() })
  .refine((update) => update.document_id === undefined || update.status === 'fulfilled', {
    path: ['document_id'],
    params: { reason: 'invalid_value', expected: 'a document only if status is fulfilled' },
  })

const requirementParams = customerParams.extend({ requirementId: idOf('requirement') })
const single = z.object({ requirement: Requirement })
export const RequirementList = z.object({ requirements: z.array(Requirement), next_cursor: NextCursor })

/** `onboarding.requirements` (spec: Requirements; spec: Requirement transitions; decisions §8 and §14). */
export const requirements = resource('onboarding.requirements', {
  list: operation({
    operationId: 'listRequirements',
    http: get('/customers/:customerId/requirements', { scopes: ['kyb:read'] }),
    tag: 'Verification',
    summary: 'List the requirements of a customer, oldest first',
    description: 'Use it to find what a submitted case still needs: filter by `status=open`.',
    params: customerParams,
    query: z.object({ status: z.literal('open').optional(), ...pageParameters }),
    reply: RequirementList,
    refusals: ['resource_not_found', 'invalid_cursor'],
  }),
  raise: operation({
    operationId: 'raiseRequirement',
    http: post('/customers/:customerId/requirements', { scopes: ['kyb:write'], status: 201 }),
    tag: 'Verification',
    summary: 'Raise a requirement on a customer whose verification has started',
    description:
      'Use it to request a document, a field or a clarification for a started case. You may have at most 50 open requirements.',
    params: customerParams,
    body: RaiseRequirement,
    reply: single,
    refusals: ['resource_not_found', 'limit_reached'],
  }),
  get: operation({
    operationId: 'getRequirement',
    http: get('/customers/:customerId/requirements/:requirementId', { scopes: ['kyb:read'] }),
    tag: 'Verification',
    summary: 'Get a requirement',
    description: 'Use it to read a requirement after `requirement.created` or `requirement.resolved`.',
    params: requirementParams,
    reply: single,
    refusals: ['resource_not_found'],
  }),
  update: operation({
    operationId: 'updateRequirement',
    http: patch('/customers/:customerId/requirements/:requirementId', { scopes: ['kyb:write'] }),
    tag: 'Verification',
    summary: 'Update a requirement: fulfil, accept or cancel it',
    description:
      'Set `fulfilled` when the requested item is there; name the document if it is one. On requirements that you raised you can also set `satisfied` (once fulfilled) or `cancelled` (while open).',
    params: requirementParams,
    body: UpdateRequirement,
    reply: single,
    refusals: ['resource_not_found', 'invalid_state'],
  }),
  listByStaff: operation({
    operationId: 'listMerchantRequirements',
    http: get('/merchants/:customerId/requirements'),
    role: 'viewer',
    tag: 'Cases',
    summary: 'List the requirements of a merchant, oldest first',
    description: 'Use it when the list of a case is truncated.',
    caller: 'operator',
    params: z.object({ customerId: idOf('merchant') }),
    query: z.object(pageParameters),
    reply: RequirementList,
    refusals: ['resource_not_found', 'invalid_cursor'],
  }),
  raiseByStaff: operation({
    operationId: 'raiseMerchantRequirement',
    http: post('/merchants/:customerId/requirements', { status: 201 }),
    role: 'reviewer',
    tag: 'Cases',
    summary: 'Raise a requirement of the platform on a merchant',
    description:
      'Use it to request something from all partners of a merchant. `requirement.created` notifies each one.',
    caller: 'operator',
    params: z.object({ customerId: idOf('merchant') }),
    body: RaiseRequirement,
    reply: single,
    refusals: ['resource_not_found', 'limit_reached'],
  }),
  updateByStaff: operation({
    operationId: 'updateMerchantRequirement',
    http: patch('/requirements/:requirementId'),
    role: 'reviewer',
    tag: 'Cases',
    summary: 'Update a requirement as the platform: accept, cancel or fulfil it',
    description: 'Use it to accept what was sent (`satisfied`) or to withdraw the requirement (`cancelled`).',
    caller: 'operator',
    params: z.object({ requirementId: idOf('requirement') }),
    body: UpdateRequirement,
    reply: single,
    refusals: ['resource_not_found', 'invalid_state'],
  }),
})
