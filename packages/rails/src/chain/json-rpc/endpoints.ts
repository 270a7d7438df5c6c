import { createEndpoints, type Endpoints, openAddresses } from '../endpoints.ts'
import { createJsonRpcEndpoint, type EndpointOptions, type JsonRpcEndpoint } from './endpoint.ts'

/** Several JSON-RPC endpoints of one chain. */
export type JsonRpcEndpoints = Endpoints<JsonRpcEndpoint>

/** @throws Error that gives the position of an invalid address */
export const createJsonRpcEndpoints = (urls: readonly string[], options: EndpointOptions): JsonRpcEndpoints =>
  createEndpoints(
    openAddresses(urls, (url) => createJsonRpcEndpoint(url, options)),
    options.nowMs,
  )
