import { Ingress } from 'kubernetes-models/networking.k8s.io/v1/Ingress'
import { Namespace } from 'kubernetes-models/v1/Namespace'
import { Service } from 'kubernetes-models/v1/Service'
import { API_PORT, metadataOf, NAMESPACE, selectorOf } from './names.ts'

/** Replaced by the operator's own, as its certificate's secret is. */
const HOST = 'causeway.example'

/** A namespace in which no pod may run with more rights than these have. */
export const namespace = (): Namespace =>
  new Namespace({
    metadata: { name: NAMESPACE, labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } },
  })

export const gatewayService = (): Service =>
  new Service({
    metadata: metadataOf('gateway', selectorOf('gateway')),
    spec: { selector: selectorOf('gateway'), ports: [{ name: 'api', port: API_PORT, targetPort: 'api' }] },
  })

/** TLS in front. The gateway bounds bodies itself and streams them, so the controller does neither. */
export const gatewayIngress = (): Ingress =>
  new Ingress({
    metadata: {
      ...metadataOf('gateway', selectorOf('gateway')),
      annotations: {
        'nginx.ingress.kubernetes.io/proxy-body-size': '0',
        'nginx.ingress.kubernetes.io/proxy-request-buffering': 'off',
      },
    },
    spec: {
      ingressClassName: 'nginx',
      tls: [{ hosts: [HOST], secretName: 'causeway-tls' }],
      rules: [
        {
          host: HOST,
          http: {
            paths: [
              {
                path: '/',
                pathType: 'Prefix',
                backend: { service: { name: 'gateway', port: { name: 'api' } } },
              },
            ],
          },
        },
      ],
    },
  })
