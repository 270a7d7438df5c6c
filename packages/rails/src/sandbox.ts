/** Parts of the sandbox's protocols that both sides use: the sandbox, and the adapters that call it. */
export { SANDBOX_CARD_TRAITS } from './card/sandbox/account.ts'
export { SANDBOX_SIGNATURE_HEADER, signSandboxPost } from './card/sandbox/signature.ts'
export { MAX_WATCHES_PER_CALL } from './chain/adapter.ts'
