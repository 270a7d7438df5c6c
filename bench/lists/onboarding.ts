import * as acceptances from '../../services/onboarding/src/agreements/acceptance-store.ts'
import * as agreements from '../../services/onboarding/src/agreements/store.ts'
import * as customers from '../../services/onboarding/src/customers/store.ts'
import * as documents from '../../services/onboarding/src/documents/store.ts'
import * as personalData from '../../services/onboarding/src/personal-data/store.ts'
import * as relationships from '../../services/onboarding/src/relationship-state/store.ts'
import * as requirements from '../../services/onboarding/src/requirements/store.ts'
import * as verifications from '../../services/onboarding/src/verifications/store.ts'
import * as submissions from '../../services/onboarding/src/verifications/submission-store.ts'
import { AT, at, id, idOf, type ServiceLists } from './filling.ts'

const EACH = 'FROM generate_series($1::int, $2::int) AS n'
const PARTNER = 'prt_busy'
const LIMIT = 101

/** Half of the merchants are one partner's customers. */
const rowsOf = (merchants: number) => [
  {
    count: merchants,
    insert: `INSERT INTO merchants (id, email_mac, verification, created_at)
      SELECT ${idOf('cus')}, sha256(n::text::bytea), 'approved', ${AT} ${EACH}`,
  },
  {
    count: merchants,
    insert: `INSERT INTO relationships (id, partner_id, merchant_id, external_customer_id, email_sealed, status, granted,
        merchant_created_at, created_at, agreements_revision)
      SELECT ${idOf('pcu')}, CASE n % 2 WHEN 0 THEN '${PARTNER}' ELSE 'prt_' || n % 1000 END, ${idOf('cus')},
        'shop-' || n, repeat('x', 90), 'active', '{payments.crypto}', ${AT}, ${AT}, 3 ${EACH}`,
  },
  {
    count: merchants,
    insert: `INSERT INTO data_keys (subject, key_sealed, created_at) SELECT ${idOf('pcu')}, repeat('k', 100), ${AT} ${EACH}`,
  },
  {
    count: merchants,
    insert: `INSERT INTO verifications (id, merchant_id, status, status_since, created_at)
      SELECT ${idOf('ver')}, ${idOf('cus')},
        CASE WHEN n % 20 < 3 THEN 'pending' WHEN n % 20 = 3 THEN 'draft' ELSE 'approved' END, ${AT}, ${AT} ${EACH}`,
  },
  {
    count: merchants,
    insert: `INSERT INTO submissions (partner_customer_id, partner_id, verification_id, data_sealed, created_at)
      SELECT ${idOf('pcu')}, '${PARTNER}', ${idOf('ver')}, repeat('x', 300), ${AT} ${EACH}`,
  },
  {
    count: 2 * merchants,
    insert: `INSERT INTO documents (id, partner_id, partner_customer_id, document_type, file_name_sealed, mime_type,
        file_size_bytes, status, blob_key, blob_secret_sealed, uploaded_at)
      SELECT ${idOf('doc')}, '${PARTNER}', ${idOf('pcu', '(n + 1) / 2')}, 'other', 'x', 'application/pdf', 1000,
        'uploaded', 'blob' || n, 'x', ${AT} ${EACH}`,
  },
  {
    count: merchants,
    insert: `INSERT INTO requirements (id, merchant_id, kind, message, status, created_at)
      SELECT ${idOf('req')}, ${idOf('cus', '1 + n % 10000')}, 'clarification', 'x', 'open', ${AT} ${EACH}`,
  },
  {
    count: 3,
    insert: `INSERT INTO agreements (id, current_version, created_at) SELECT ${idOf('agr')}, '1', ${AT} ${EACH}`,
  },
  {
    count: 3,
    insert: `INSERT INTO agreement_versions (agreement_id, version, title, effective_date, parties, disclosure, content,
        content_type, content_hash, published_at)
      SELECT ${idOf('agr')}, '1', 'x', '2026-01-01', '[]', 'x', '', 'text/plain', 'x', ${AT} ${EACH}`,
  },
  {
    count: merchants,
    insert: `INSERT INTO acceptances (id, partner_id, partner_customer_id, agreement_id, agreement_version, content_hash,
        acceptance_channel, accepted_at, recorded_at, evidence_sealed)
      SELECT ${idOf('acc')}, '${PARTNER}', ${idOf('pcu')}, ${idOf('agr', '1 + n % 3')}, '1', 'x', 'x', ${AT}, ${AT}, 'x'
      ${EACH}`,
  },
]

/** @param merchants each has one relationship, one case, two documents and one requirement */
export const onboardingLists = (merchants: number): ServiceLists => {
  const relationship = (n: number) => ({
    partnerId: PARTNER,
    partnerCustomerId: id('pcu', 2 * Math.ceil(n / 2)),
  })
  const start = { at: at(0), id: '', limit: LIMIT }
  return {
    service: 'onboarding',
    rows: rowsOf(merchants),
    statements: () => [
      {
        name: 'customers of a partner',
        run: (db, random) =>
          customers.listPage(db, {
            partnerId: PARTNER,
            at: at(random(merchants)),
            id: '',
            until: new Date('9999-12-31T23:59:59.999Z'),
            limit: LIMIT,
          }),
      },
      {
        name: 'a customer by e-mail or external id',
        run: (db, random) =>
          customers.listLinks(db, {
            partnerId: PARTNER,
            externalCustomerId: `shop-${random(merchants)}`,
            emailMac: Buffer.alloc(32),
          }),
      },
      {
        name: 'a customer for staff',
        run: (db, random) => customers.get(db, { partnerCustomerId: id('pcu', random(merchants)) }),
      },
      {
        name: "a merchant's relationships",
        run: (db, random) => relationships.listOfMerchant(db, { merchantId: id('cus', random(merchants)) }),
      },
      {
        name: 'cases',
        run: (db, random) => verifications.listPage(db, { at: at(random(merchants)), id: '', limit: LIMIT }),
      },
      {
        name: 'cases to review',
        run: (db, random) =>
          verifications.listPageOfStatus(db, {
            status: 'pending',
            at: at(random(merchants)),
            id: '',
            limit: LIMIT,
          }),
      },
      {
        name: 'submissions of a case',
        run: (db, random) =>
          submissions.listPageOfCase(db, {
            verificationId: id('ver', random(merchants)),
            ...start,
            maxSealedBytes: 1_000_000,
          }),
      },
      {
        name: 'documents',
        run: (db, random) => documents.listPage(db, { ...relationship(random(merchants)), ...start }),
      },
      {
        name: 'documents of a case',
        run: (db, random) =>
          documents.listFirst(db, {
            partnerCustomerIds: Array.from({ length: 10 }, () => id('pcu', random(merchants))),
            limitOfEach: 11,
          }),
      },
      {
        name: 'requirements of a case',
        run: (db, random) =>
          requirements.listPage(db, { ...relationship(random(10_000)), statuses: ['open'], ...start }),
      },
      {
        name: 'requirements for staff',
        run: (db, random) =>
          requirements.listPageByStaff(db, { merchantId: id('cus', random(10_000)), ...start }),
      },
      { name: 'agreements', run: (db) => agreements.listPage(db, start) },
      {
        name: 'acceptances',
        run: (db, random) =>
          acceptances.listNewest(db, {
            ...relationship(random(merchants)),
            agreementIds: [1, 2, 3].map((n) => id('agr', n)),
            limitOfEach: 11,
          }),
      },
      {
        name: 'all records of a customer',
        run: (db, random) =>
          personalData.listRecords(db, {
            partnerCustomerId: id('pcu', random(merchants)),
            ordinal: 0,
            id: '',
            limit: LIMIT,
          }),
      },
    ],
  }
}
