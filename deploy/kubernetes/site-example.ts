import { NAMESPACE, secretsOf, SETTINGS_MAP } from './names.ts'
import { PROCESSES, processOf } from './processes.ts'

const SECRETS = 'secrets'

/**
 * The example of an operator's own folder, for `kubectl apply -k`: the manifests with its image, its name, its `.env`
 * and the files of deploy/make-secrets.sh. Another setting or secret gives another name to its map, which restarts the
 * processes that read it, one replica at a time.
 */
export const siteExample = () => ({
  apiVersion: 'kustomize.config.k8s.io/v1beta1',
  kind: 'Kustomization',
  namespace: NAMESPACE,
  resources: ['../generated'],
  images: [{ name: 'causeway', newName: 'registry.example/causeway', digest: `sha256:${'0'.repeat(64)}` }],
  configMapGenerator: [{ name: SETTINGS_MAP, envs: ['.env'] }],
  secretGenerator: PROCESSES.map((name) => ({
    name: secretsOf(name),
    files: processOf(name).secrets.map((file) => `${SECRETS}/${file}`),
  })),
  patches: [
    {
      target: { kind: 'Ingress', name: 'gateway' },
      patch: JSON.stringify([
        { op: 'replace', path: '/spec/rules/0/host', value: 'api.example.com' },
        { op: 'replace', path: '/spec/tls/0/hosts/0', value: 'api.example.com' },
      ]),
    },
  ],
})
