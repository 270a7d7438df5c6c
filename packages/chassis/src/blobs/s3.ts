import {
  DeleteObjectCommand,
  GetObjectCommand,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
  type PutObjectCommandOutput,
} from '@aws-sdk/client-s3'
import { span } from '../telemetry/span.ts'
import type { S3Config } from './settings.ts'
import type { BlobStore, Pieces } from './store.ts'

const PREFIX = 'documents/'
const CONNECT_TIMEOUT_MS = 2_000
const REQUEST_TIMEOUT_MS = 15_000

const collect = async (pieces: Pieces): Promise<Buffer> => {
  const collected: Uint8Array[] = []
  for await (const piece of pieces) collected.push(piece)
  return Buffer.concat(collected)
}

/**
 * Blobs in an existing bucket of an S3-compatible service. An object is put in one request: S3 wants its length first,
 * and the parts of an interrupted multipart upload would stay.
 */
export const createS3Store = (config: S3Config): BlobStore => {
  const { endpoint, region, accessKeyId, secretAccessKey, bucket: Bucket } = config
  const client = new S3Client({
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
    forcePathStyle: true,
    requestHandler: {
      connectionTimeout: CONNECT_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      throwOnRequestTimeout: true,
    },
    // S3-compatible services other than AWS's refuse the checksums that the client adds by default.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  const traced = <T extends Pick<PutObjectCommandOutput, '$metadata'>>(
    method: string,
    send: () => Promise<T>,
  ): Promise<T> =>
    span.aroundHttp({ method, url: endpoint }, ({ $metadata }) => $metadata.httpStatusCode, send)
  const at = (key: string) => ({ Bucket, Key: `${PREFIX}${key}` })

  return {
    async put(key, pieces) {
      const Body = await collect(pieces)
      const command = new PutObjectCommand({ ...at(key), Body, ContentType: 'application/octet-stream' })
      await traced('PUT', () => client.send(command))
    },
    async get(key) {
      try {
        const { Body } = await traced('GET', () => client.send(new GetObjectCommand(at(key))))
        return (Body ?? null) as Pieces | null
      } catch (error) {
        if (error instanceof NoSuchKey) return null
        throw error
      }
    },
    async remove(key) {
      await traced('DELETE', () => client.send(new DeleteObjectCommand(at(key))))
    },
  }
}
