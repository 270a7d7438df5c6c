import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from '@jest/globals'
import type { IDeployment } from 'kubernetes-models/apps/v1/Deployment'
import type { INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy'
import type { IPodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget'
import { parse, parseAllDocuments } from 'yaml'
import { SERVICE_SETTINGS } from '@causeway/chassis'
import { deploymentOf, DRAIN_SECONDS } from '../../deploy/kubernetes/deployment.ts'
import { CALL_THE_INTERNET } from '../../deploy/kubernetes/network-policies.ts'
import { PROCESSES, processOf, type ProcessName } from '../../deploy/kubernetes/processes.ts'
import { PRODUCTION, readCompose } from '../../scripts/deployment/compose.ts'

type Kustomization = {
  resources: string[]
  secretGenerator: { name: string; files: string[] }[]
}
type Read = (IDeployment | INetworkPolicy | IPodDisruptionBudget) & { kind: string }

const target = mkdtempSync(join(tmpdir(), 'causeway-manifests-'))
execFileSync(process.execPath, [
  '--conditions=platform-source',
  'scripts/generate-deployment.ts',
  '--check',
  '--into',
  target,
])
afterAll(() => rmSync(target, { recursive: true }))
const folder = join(target, 'kubernetes')
const read = (file: string): Read[] =>
  parseAllDocuments(readFileSync(`${folder}/generated/${file}`, 'utf8')).map(
    (document) => document.toJS() as Read,
  )
const ofKind = <T>(kind: string): T[] =>
  readdirSync(`${folder}/generated`)
    .filter((file) => file !== 'kustomization.yaml')
    .flatMap(read)
    .filter((object) => object.kind === kind) as T[]
const deployments = ofKind<IDeployment>('Deployment')
const policies = ofKind<INetworkPolicy>('NetworkPolicy')
const podOf = (name: ProcessName) => {
  const pod = deployments.find(({ metadata }) => metadata?.name === name)?.spec?.template.spec
  const [container] = pod?.containers ?? []
  if (pod === undefined || container === undefined) throw new Error(`no pod of ${name}`)
  return { pod, container }
}
const compose = readCompose([PRODUCTION], { PUBLIC_BASE_URL: 'https://causeway.example' })

describe('the manifests', () => {
  test('are generated with a dashboard next to them', () => {
    const { panels } = JSON.parse(readFileSync(join(target, 'monitoring', 'dashboard.json'), 'utf8')) as {
      panels: unknown[]
    }
    expect(panels.length).toBeGreaterThan(10)
    expect(readdirSync(folder).sort()).toEqual(['example', 'generated'])
  })

  test('are refused by the schema of Kubernetes when a field has the wrong type', () => {
    const wrong = deploymentOf(processOf('payments'))
    Object.assign(wrong.spec ?? {}, { replicas: 'two' })
    expect(() => wrong.validate()).toThrow(/replicas/)
  })

  test('have each process, and the list of resources each file', () => {
    expect(deployments.map(({ metadata }) => metadata?.name).sort()).toEqual([...PROCESSES].sort())
    const { resources } = parse(
      readFileSync(`${folder}/generated/kustomization.yaml`, 'utf8'),
    ) as Kustomization
    const files = readdirSync(`${folder}/generated`).filter((file) => file !== 'kustomization.yaml')
    expect(resources.toSorted()).toEqual(files.sort())
  })
})

describe.each(PROCESSES)('%s', (name) => {
  const { pod, container } = podOf(name)
  const composed = compose.services[name]

  test('has the settings, the secrets and the limits that docker-compose.yml gives it', () => {
    const settings = container.env?.map(({ name: setting, value, valueFrom }) => {
      const { key, optional } = valueFrom?.configMapKeyRef ?? {}
      return [setting, key === setting && optional === true ? null : value]
    })
    expect(Object.fromEntries(settings ?? [])).toEqual(composed?.environment)
    expect(container.args).toEqual(composed?.command)
    const { secretGenerator } = parse(
      readFileSync(`${folder}/example/kustomization.yaml`, 'utf8'),
    ) as Kustomization
    const mounted = pod.volumes?.find((volume) => volume.secret !== undefined)?.secret?.secretName
    const files = secretGenerator.find((secret) => secret.name === mounted)?.files
    expect(files).toEqual(composed?.secrets?.map((secret) => `secrets/${secret}`))
    expect(container.volumeMounts).toContainEqual({
      name: 'secrets',
      mountPath: '/run/secrets',
      readOnly: true,
    })
    expect(container.resources?.limits).toEqual({
      cpu: String(composed?.cpus),
      memory: composed?.mem_limit?.replace('m', 'Mi'),
    })
    expect(container.resources?.requests?.['memory']).toBe(container.resources?.limits?.['memory'])
  })

  test('runs without rights: not as root, read-only, no capability, no token of the cluster', () => {
    expect(pod.securityContext).toMatchObject({
      runAsNonRoot: true,
      seccompProfile: { type: 'RuntimeDefault' },
    })
    expect(container.securityContext).toEqual({
      readOnlyRootFilesystem: true,
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
    })
    expect(pod.automountServiceAccountToken).toBe(false)
  })

  test('is replaced one by one by replicas that are ready, and has the time that a stop may take', () => {
    const spec = deployments.find(({ metadata }) => metadata?.name === name)?.spec
    expect(spec).toMatchObject({
      replicas: name === 'signer' ? 0 : 2,
      strategy: { rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } },
    })
    for (const probe of [container.startupProbe, container.livenessProbe, container.readinessProbe])
      expect(probe?.httpGet?.port).toBe(9090)
    const budget = ofKind<IPodDisruptionBudget>('PodDisruptionBudget').find(
      (each) => each.metadata?.name === name,
    )
    expect(budget?.spec).toEqual({ minAvailable: 1, selector: spec?.selector })
    const { SHUTDOWN_TIMEOUT } = SERVICE_SETTINGS
    const stopSeconds = SHUTDOWN_TIMEOUT.parse(SHUTDOWN_TIMEOUT.default ?? '') / 1_000
    const drainSeconds = container.lifecycle?.preStop === undefined ? 0 : DRAIN_SECONDS
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(drainSeconds + stopSeconds)
  })
})

describe('the network policies', () => {
  const policyOf = (name: string) => policies.find(({ metadata }) => metadata?.name === name)?.spec

  test('deny what no other one allows', () => {
    expect(policyOf('deny-all')).toEqual({ podSelector: {}, policyTypes: ['Ingress', 'Egress'] })
  })

  test('lead to the internet for the processes that call it, and to no private address', () => {
    const outside = policies.filter(({ spec }) => JSON.stringify(spec).includes('"0.0.0.0/0"'))
    expect(outside.map(({ metadata }) => metadata?.name)).toEqual(
      CALL_THE_INTERNET.map((name) => `${name}-internet`),
    )
    for (const { spec } of outside) {
      const blocks = spec?.egress?.flatMap(({ to = [] }) => to.map(({ ipBlock }) => ipBlock))
      expect(blocks?.map((block) => block?.cidr)).toEqual(['0.0.0.0/0', '2000::/3'])
      expect(blocks?.[0]?.except).toEqual(
        expect.arrayContaining([
          '10.0.0.0/8',
          '127.0.0.0/8',
          '169.254.0.0/16',
          '172.16.0.0/12',
          '192.168.0.0/16',
        ]),
      )
    }
  })

  test('admit callers at the gateway alone, and otherwise only readers of metrics', () => {
    const entered = policies.flatMap(({ metadata, spec }) =>
      (spec?.ingress ?? []).map(({ ports = [] }) => [metadata?.name, ports.map(({ port }) => port)]),
    )
    expect(entered).toEqual([
      ['monitoring', [9090]],
      ['callers', [8080]],
    ])
    expect(policyOf('callers')?.podSelector?.matchLabels?.['app.kubernetes.io/name']).toBe('gateway')
  })
})
