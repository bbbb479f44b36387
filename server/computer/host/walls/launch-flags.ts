/** The port of the relay inside the walls; nothing else listens there. */
const RELAY_PORT = 3_128;
const HOME = '/home/browser';
const TMPFS_BYTES = String(512 * 1_048_576);
const OFF = [
  'AcceptCHFrame',
  'AutofillServerCommunication',
  'CertificateTransparencyComponentUpdater',
  'GlobalMediaControls',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'InterestFeedContentSuggestions',
  'MediaRouter',
  'OptimizationHints',
  'PaintHolding',
  'Prerender2',
  'SegmentationPlatform',
  'SpareRendererForSitePerProcess',
  'Translate',
  'WebBluetooth',
  'WebUSB',
];

/** Policies of Chromium, which no page or key can change; the walls hold without them. */
export const POLICY = {
  AllowFileSelectionDialogs: false,
  AudioCaptureAllowed: false,
  BackgroundModeEnabled: false,
  BrowserSignin: 0,
  BuiltInDnsClientEnabled: false,
  ComponentUpdatesEnabled: false,
  DefaultGeolocationSetting: 2,
  DefaultNotificationsSetting: 2,
  DefaultSensorsSetting: 2,
  DefaultSerialGuardSetting: 2,
  DefaultWebBluetoothGuardSetting: 2,
  DefaultWebHidGuardSetting: 2,
  DefaultWebUsbGuardSetting: 2,
  DnsOverHttpsMode: 'off',
  DownloadRestrictions: 3,
  ExtensionInstallBlocklist: ['*'],
  MetricsReportingEnabled: false,
  NetworkPredictionOptions: 2,
  PasswordManagerEnabled: false,
  PrintingEnabled: false,
  SafeBrowsingProtectionLevel: 0,
  ScreenCaptureAllowed: false,
  SearchSuggestEnabled: false,
  SyncDisabled: true,
  TranslateEnabled: false,
  URLBlocklist: ['file://*', 'chrome://*', 'devtools://*', 'view-source:*', 'chrome-untrusted://*'],
  // The proof of the walls reads it; no page can open it, as pages may not link there.
  URLAllowlist: ['chrome://sandbox', 'chrome://new-tab-page'],
  VideoCaptureAllowed: false,
} as const;

/** The flags of Chromium itself. Its sandbox is on: there is no `--no-sandbox`. */
export function browserFlags(language: 'zh' | 'en', profile: string): string[] {
  return [
    '--headless',
    '--remote-debugging-pipe',
    `--user-data-dir=${profile}`,
    `--proxy-server=http://127.0.0.1:${RELAY_PORT}`,
    '--proxy-bypass-list=<-loopback>',
    '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
    '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
    `--disable-features=${OFF.join(',')}`,
    `--lang=${language === 'zh' ? 'zh-CN' : 'en-US'}`,
    `--accept-lang=${language === 'zh' ? 'zh-CN,zh,en' : 'en-US,en,zh'}`,
    '--js-flags=--max-old-space-size=512',
    '--renderer-process-limit=6',
    '--window-size=1440,900',
    '--hide-scrollbars',
    '--mute-audio',
    '--no-first-run',
    '--no-default-browser-check',
    '--no-pings',
    '--no-service-autorun',
    '--deny-permission-prompts',
    '--disable-background-networking',
    '--disable-breakpad',
    '--disable-client-side-phishing-detection',
    '--disable-component-extensions-with-background-pages',
    '--disable-component-update',
    '--disable-crash-reporter',
    '--disable-default-apps',
    '--disable-domain-reliability',
    '--disable-extensions',
    '--disable-file-system',
    '--disable-gpu',
    '--disable-notifications',
    '--disable-print-preview',
    '--disable-quic',
    '--disable-speech-api',
    '--disable-sync',
    '--disable-webgl',
    '--password-store=basic',
    '--use-mock-keychain',
    'about:blank',
  ];
}

export interface WallPaths {
  /** The proxy's socket, and a file with `POLICY`, on this machine. */
  socket: string;
  policy: string;
  relay: string;
  node: string;
  chromium: string;
  /** A folder that Chromium needs beside `/usr`. */
  folder: string | null;
}

/**
 * The arguments of bubblewrap: namespaces of its own for all there is, `/usr` and fonts to read, a home in memory, the socket of
 * the proxy. The user inside has no rights outside, so that Chromium builds its own sandbox even where root started it.
 */
export function wallFlags(paths: WallPaths, flags: string[]): string[] {
  const { socket, policy, relay, node, chromium, folder } = paths;
  const readable = (path: string) => ['--ro-bind-try', path, path];
  return [
    ...['--unshare-all', '--die-with-parent', '--new-session', '--cap-drop', 'ALL'],
    ...['--uid', '1000', '--gid', '1000', '--hostname', 'browser', '--clearenv'],
    ...['--ro-bind', '/usr', '/usr'],
    ...['bin', 'lib', 'lib64', 'sbin'].flatMap((name) => ['--symlink', `usr/${name}`, `/${name}`]),
    ...['/etc/fonts', '/etc/ld.so.cache', '/etc/alternatives', '/var/cache/fontconfig'].flatMap(readable),
    ...['--proc', '/proc', '--dev', '/dev'],
    ...['--size', TMPFS_BYTES, '--tmpfs', '/tmp', '--size', TMPFS_BYTES, '--tmpfs', HOME],
    ...(folder === null ? [] : ['--ro-bind', folder, folder]),
    ...['/etc/chromium', '/etc/opt/chrome'].flatMap((at) => [
      '--ro-bind',
      policy,
      `${at}/policies/managed/walls.json`,
    ]),
    ...['--ro-bind', socket, '/run/proxy.sock'],
    ...['--ro-bind', node, '/run/node', '--ro-bind', relay, '/run/relay.ts'],
    ...['--setenv', 'HOME', HOME, '--setenv', 'PATH', '/usr/bin', '--setenv', 'LANG', 'C.UTF-8'],
    ...['--chdir', HOME, '--', '/run/node', '--max-semi-space-size=1', '--v8-pool-size=0'],
    ...['/run/relay.ts', '/run/proxy.sock', String(RELAY_PORT), chromium, ...flags],
  ];
}

export const PROFILE = `${HOME}/profile`;
