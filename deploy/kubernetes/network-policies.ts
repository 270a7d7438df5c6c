import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy'
import type { INetworkPolicySpec } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicySpec'
import type { INetworkPolicyPeer } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicyPeer'
import {
  FORBIDDEN_IPV4,
  FORBIDDEN_IPV6,
  GLOBAL_IPV6,
} from '../../services/webhooks/src/connect-guard/address.ts'
import { API_PORT, HEALTH_PORT, metadataOf, selectorOf } from './names.ts'
import type { ProcessName } from './processes.ts'

const POSTGRES_PORT = 5432
const NATS_PORT = 4222
const OTLP_PORT = 4318
const DNS_PORT = 53

/** Processes that call others outside: processors, providers, chains, partners, the identity provider of the staff, buckets. */
export const CALL_THE_INTERNET: readonly ProcessName[] = [
  'gateway',
  'access',
  'payments',
  'refunds',
  'webhooks',
  'onramp',
  'signer',
]

const cidr = ([network, prefix]: readonly [string, number]): string => `${network}/${prefix}`

/** The same addresses as deliveries may reach: whatever the process does, no private one is. */
const INTERNET: INetworkPolicyPeer[] = [
  { ipBlock: { cidr: '0.0.0.0/0', except: FORBIDDEN_IPV4.map(cidr) } },
  { ipBlock: { cidr: cidr(GLOBAL_IPV6), except: FORBIDDEN_IPV6.map(cidr) } },
]

/** Where the operator's PostgreSQL and NATS may be; narrow it to their own addresses. */
const PRIVATE: INetworkPolicyPeer[] = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'].map(
  (each) => ({
    ipBlock: { cidr: each },
  }),
)

const inNamespace = (name: string): INetworkPolicyPeer => ({
  namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': name } },
})
const tcp = (...ports: number[]) => ports.map((port) => ({ protocol: 'TCP' as const, port }))

const policy = (name: string, rules: INetworkPolicySpec): NetworkPolicy =>
  new NetworkPolicy({ metadata: metadataOf(name), spec: rules })

const everyPod = { podSelector: {} }

/** Nothing may talk to anything but what a policy below names; replicas and services never talk to each other. */
export const networkPolicies = (): NetworkPolicy[] => [
  policy('deny-all', { ...everyPod, policyTypes: ['Ingress', 'Egress'] }),
  policy('names', {
    ...everyPod,
    policyTypes: ['Egress'],
    egress: [
      {
        to: [inNamespace('kube-system')],
        ports: [{ protocol: 'UDP', port: DNS_PORT }, ...tcp(DNS_PORT)],
      },
    ],
  }),
  policy('databases-and-bus', {
    ...everyPod,
    policyTypes: ['Egress'],
    egress: [{ to: PRIVATE, ports: tcp(POSTGRES_PORT, NATS_PORT) }],
  }),
  policy('monitoring', {
    ...everyPod,
    policyTypes: ['Ingress', 'Egress'],
    ingress: [{ from: [inNamespace('monitoring')], ports: tcp(HEALTH_PORT) }],
    egress: [{ to: [inNamespace('monitoring')], ports: tcp(OTLP_PORT) }],
  }),
  policy('callers', {
    podSelector: { matchLabels: selectorOf('gateway') },
    policyTypes: ['Ingress'],
    ingress: [{ from: [inNamespace('ingress-nginx')], ports: tcp(API_PORT) }],
  }),
  ...CALL_THE_INTERNET.map((name) =>
    policy(`${name}-internet`, {
      podSelector: { matchLabels: selectorOf(name) },
      policyTypes: ['Egress'],
      egress: [{ to: INTERNET }],
    }),
  ),
]
