import type { Container, Deployment, SecurityContext } from './manifest-schemas.ts';

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

/** The points of the restricted profile that the pods of a Deployment break; SELinux and sysctls are not looked at. None: all hold. */
export function restrictedFaults(deployment: Deployment): string[] {
  const pod = deployment.spec.template.spec;
  return [
    ...(['hostNetwork', 'hostPID', 'hostIPC'] as const).filter((name) => pod[name]),
    ...pod.volumes
      .flatMap(({ name, ...source }) => Object.keys(source))
      .filter((source) => !VOLUMES.includes(source)),
    ...[...pod.initContainers, ...pod.containers].flatMap((one) => containerFaults(one, pod.securityContext)),
  ];
}

function containerFaults({ ports, securityContext }: Container, ofPod: SecurityContext): string[] {
  const both = { ...ofPod, ...securityContext };
  const rules: [name: string, holds: boolean][] = [
    ['hostPort', ports.every(({ hostPort }) => hostPort === undefined)],
    ['privileged', both.privileged !== true],
    ['allowPrivilegeEscalation', both.allowPrivilegeEscalation === false],
    ['runAsNonRoot', both.runAsNonRoot === true],
    ['runAsUser', both.runAsUser !== 0],
    ['seccompProfile', SECCOMP.includes(both.seccompProfile?.type ?? '')],
    ['appArmorProfile', both.appArmorProfile?.type !== 'Unconfined'],
    ['procMount', (both.procMount ?? 'Default') === 'Default'],
    ['capabilities.drop', both.capabilities?.drop?.includes('ALL') ?? false],
    ['capabilities.add', (both.capabilities?.add ?? []).every((name) => name === 'NET_BIND_SERVICE')],
  ];
  return rules.filter(([, holds]) => !holds).map(([name]) => name);
}
