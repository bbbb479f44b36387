import { z } from 'zod';

const labels = z.record(z.string(), z.string());
const probe = z.object({
  httpGet: z.object({ path: z.string() }).optional(),
  timeoutSeconds: z.number().default(1),
});

const securityContext = z.object({
  privileged: z.boolean().optional(),
  allowPrivilegeEscalation: z.boolean().optional(),
  readOnlyRootFilesystem: z.boolean().optional(),
  runAsNonRoot: z.boolean().optional(),
  runAsUser: z.number().optional(),
  procMount: z.string().optional(),
  seccompProfile: z.object({ type: z.string() }).optional(),
  appArmorProfile: z.object({ type: z.string() }).optional(),
  capabilities: z
    .object({ drop: z.array(z.string()).optional(), add: z.array(z.string()).optional() })
    .optional(),
});

const container = z.object({
  image: z.string(),
  ports: z.array(z.object({ name: z.string(), containerPort: z.number(), hostPort: z.number().optional() })),
  env: z.array(z.object({ name: z.string(), value: z.string().optional() })).default([]),
  startupProbe: probe.optional(),
  readinessProbe: probe,
  livenessProbe: probe,
  lifecycle: z.object({ preStop: z.object({ sleep: z.object({ seconds: z.number() }) }) }).optional(),
  resources: z.object({ limits: labels }),
  securityContext,
});

const pod = z.object({
  hostNetwork: z.boolean().optional(),
  hostPID: z.boolean().optional(),
  hostIPC: z.boolean().optional(),
  hostUsers: z.boolean().optional(),
  terminationGracePeriodSeconds: z.number(),
  securityContext,
  initContainers: z.array(container).default([]),
  containers: z.array(container).min(1),
  volumes: z.array(z.record(z.string(), z.unknown())).default([]),
});

/** What the tests look at, by kind. Whether a manifest is right is said by Kubernetes' own schemas. */
export const schemas = {
  Deployment: z.object({
    spec: z.object({ template: z.object({ metadata: z.object({ labels }), spec: pod }) }),
  }),
  Service: z.object({
    spec: z.object({
      selector: labels,
      ports: z.array(z.object({ name: z.string(), port: z.number(), targetPort: z.string() })).min(1),
    }),
  }),
  PodDisruptionBudget: z.object({ spec: z.object({ selector: z.object({ matchLabels: labels }) }) }),
  NetworkPolicy: z.object({ spec: z.object({ podSelector: z.object({ matchLabels: labels }) }) }),
  ConfigMap: z.object({ data: labels }),
  Namespace: z.object({ metadata: z.object({ labels }) }),
  Ingress: z.object({
    metadata: z.object({ annotations: labels }),
    spec: z.object({
      rules: z.tuple([
        z.object({
          host: z.string(),
          http: z.object({
            paths: z.tuple([
              z.object({
                backend: z.object({
                  service: z.object({ name: z.string(), port: z.object({ name: z.string() }) }),
                }),
              }),
            ]),
          }),
        }),
      ]),
    }),
  }),
  Kustomization: z.object({
    resources: z.array(z.string()),
    images: z.array(z.object({ name: z.string() })),
  }),
};

export type Deployment = z.infer<typeof schemas.Deployment>;
export type Container = z.infer<typeof container>;
export type SecurityContext = z.infer<typeof securityContext>;
