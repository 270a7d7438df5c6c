import { setting, type Settings } from '../settings/declare.ts'
import { ConfigError } from '../settings/load.ts'

/** Settings of every process that stores or reads blobs. */
export const BLOB_SETTINGS = {
  BLOB_S3_ENDPOINT: setting.httpUrl({
    optional: true,
    doc: 'URL of the S3-compatible service that stores documents. Default: JetStream stores them',
  }),
  BLOB_S3_BUCKET: setting.string({
    optional: true,
    doc: 'Bucket for documents; it must exist. Required with BLOB_S3_ENDPOINT',
  }),
  BLOB_S3_REGION: setting.string({ default: 'us-east-1', doc: 'Region of the bucket' }),
  BLOB_S3_ACCESS_KEY_ID: setting.string({
    optional: true,
    doc: 'Access key id for the bucket. Required with BLOB_S3_ENDPOINT',
  }),
  BLOB_S3_SECRET_ACCESS_KEY: setting.string({
    optional: true,
    secret: true,
    doc: 'Secret access key for the bucket. Required with BLOB_S3_ENDPOINT',
  }),
} as const

export type S3Config = Readonly<{
  kind: 's3'
  endpoint: string
  bucket: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}>
export type BlobConfig = Readonly<{ kind: 'jetstream' }> | S3Config

/** @throws ConfigError that names the settings that BLOB_S3_ENDPOINT needs */
export const toBlobConfig = (settings: Settings<typeof BLOB_SETTINGS>): BlobConfig => {
  const {
    BLOB_S3_ENDPOINT: endpoint,
    BLOB_S3_BUCKET: bucket,
    BLOB_S3_ACCESS_KEY_ID: accessKeyId,
    BLOB_S3_SECRET_ACCESS_KEY: secretAccessKey,
  } = settings
  if (endpoint === undefined) return { kind: 'jetstream' }
  if (bucket === undefined || accessKeyId === undefined || secretAccessKey === undefined)
    throw new ConfigError(
      'Bad settings: BLOB_S3_ENDPOINT needs BLOB_S3_BUCKET, BLOB_S3_ACCESS_KEY_ID and BLOB_S3_SECRET_ACCESS_KEY',
    )
  return { kind: 's3', endpoint, bucket, region: settings.BLOB_S3_REGION, accessKeyId, secretAccessKey }
}
