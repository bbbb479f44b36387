import type { Manifest } from './manifests.ts';

/** Of kubernetes.io/docs/concepts/security/pod-security-standards, the profile “restricted”. */
const VOLUMES = [
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'persistentVolumeClaim',
  'projected',
  'secret',
];
const SECCOMP = ['RuntimeDefault', 'Localhost'];

type Fields = Manifest['spec'];

/** The points of the restricted profile that the pods of a Deployment break; SELinux and sysctls are not looked at. None: all hold. */
export function restrictedFaults(deployment: Manifest): string[] {
  const pod = deployment.spec.template.spec;
  const containers: Fields[] = [...(pod.initContainers ?? []), ...pod.containers];
  return [
    ...['hostNetwork', 'hostPID', 'hostIPC'].filter((name) => pod[name]),
    ...(pod.volumes ?? [])
      .flatMap(({ name, ...source }: Fields) => Object.keys(source))
      .filter((source: string) => !VOLUMES.includes(source)),
    ...containers.flatMap((container) => containerFaults(container, pod.securityContext ?? {})),
  ];
}

function containerFaults({ ports = [], securityContext: own = {} }: Fields, ofPod: Fields): string[] {
  const both = { ...ofPod, ...own };
  const rules: [name: string, holds: boolean][] = [
    ['hostPort', ports.every(({ hostPort }: Fields) => !hostPort)],
    ['privileged', !both.privileged],
    ['allowPrivilegeEscalation', both.allowPrivilegeEscalation === false],
    ['runAsNonRoot', both.runAsNonRoot === true],
    ['runAsUser', both.runAsUser !== 0],
    ['seccompProfile', SECCOMP.includes(both.seccompProfile?.type)],
    ['appArmorProfile', both.appArmorProfile?.type !== 'Unconfined'],
    ['procMount', (both.procMount ?? 'Default') === 'Default'],
    ['capabilities.drop', Boolean(both.capabilities?.drop?.includes('ALL'))],
    ['capabilities.add', (both.capabilities?.add ?? []).every((name: string) => name === 'NET_BIND_SERVICE')],
  ];
  return rules.filter(([, holds]) => !holds).map(([name]) => name);
}
