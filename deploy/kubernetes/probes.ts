import type { IContainer } from 'kubernetes-models/v1/Container'
import { HEALTH_PORT } from './names.ts'
import type { ProcessName } from './processes.ts'

const get = (path: string) => ({ httpGet: { path, port: HEALTH_PORT } })

/**
 * A process that starts waits for its database and the bus inside itself, so its start may take five minutes. It is
 * restarted after a minute without any answer. The gateway is ready as soon as it serves: its `/readyz` asks every
 * service behind it, and one that is missing must not take the others from the network.
 */
export const probesOf = (
  name: ProcessName,
): Pick<IContainer, 'startupProbe' | 'livenessProbe' | 'readinessProbe'> => ({
  startupProbe: { ...get('/healthz'), periodSeconds: 2, timeoutSeconds: 3, failureThreshold: 150 },
  livenessProbe: { ...get('/healthz'), periodSeconds: 10, timeoutSeconds: 5, failureThreshold: 6 },
  readinessProbe: {
    ...get(name === 'gateway' ? '/healthz' : '/readyz'),
    periodSeconds: 5,
    timeoutSeconds: 3,
    failureThreshold: 2,
  },
})
