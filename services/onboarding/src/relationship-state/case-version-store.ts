import { queryNone } from '@causeway/chassis'

/**
 * Records a change of what a reviewer sees of the merchant's case, if there is one. An edit of data or documents moves a
 * pending case to the end of the queue: to a time later than that of the change before.
 */
export const incrementVersion = queryNone({
  name: 'verifications.increment-version',
  parameters: { merchantId: 'text', editedAt: 'timestamptz?' },
  text: `
    UPDATE verifications
    SET version = version + 1,
        status_since = CASE WHEN status = 'pending' AND :editedAt IS NOT NULL
          THEN greatest(:editedAt, status_since + interval '1 millisecond') ELSE status_since END
    WHERE merchant_id = :merchantId`,
})
