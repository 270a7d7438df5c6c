# One image for every process: which one it runs is its command. The TypeScript source runs as it is, so there
# is no build step; the first stage only installs.
ARG NODE_IMAGE=node:24-bookworm-slim
FROM ${NODE_IMAGE} AS install
WORKDIR /app
ENV CI=true
COPY pnpm-lock.yaml pnpm-workspace.yaml ./
RUN npx -y pnpm@12.21.0 fetch --prod
COPY . .
# "fetch" also links the database and NATS servers of the local start, which "install" would leave there.
RUN rm -rf node_modules && npx -y pnpm@12.21.0 install --prod --no-optional --offline --frozen-lockfile \
  && rm -rf packages/dev-env

FROM ${NODE_IMAGE} AS app
WORKDIR /app
# A process needs Node alone.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack \
  /usr/local/bin/yarn* /opt/yarn*
ENV NODE_ENV=production HEALTH_HOST=0.0.0.0 HEALTH_PORT=9090 GATEWAY_HOST=0.0.0.0 SANDBOX_HOST=0.0.0.0
COPY --from=install /app/package.json ./
COPY --from=install /app/node_modules ./node_modules
COPY --from=install /app/packages ./packages
COPY --from=install /app/services ./services
COPY --from=install /app/sandbox ./sandbox
# The pages that the gateway shows beside its reference.
COPY --from=install /app/README.md ./
COPY --from=install /app/docs ./docs

# Compiled code, for the user that runs it: without it each process transpiles its source and keeps the transpiler.
FROM app AS compile
ENV NODE_COMPILE_CACHE=/tmp/compiled
COPY deploy/warm-compile-cache.js ./
USER node
# Node makes the files readable for their owner alone.
RUN node warm-compile-cache.js && chmod -R a+rX /tmp/compiled

FROM app
# Copied, it belongs to root: a process cannot change the code that the next one runs.
COPY --from=compile /tmp/compiled ./compiled
COPY deploy/healthcheck.js deploy/command.js ./
ENV NODE_COMPILE_CACHE=/app/compiled MALLOC_ARENA_MAX=2
ARG VERSION=development
ARG REVISION=unknown
ARG SOURCE=unknown
LABEL org.opencontainers.image.title=causeway \
  org.opencontainers.image.description="Open-source platform for partner payments and merchant onboarding" \
  org.opencontainers.image.licenses=Apache-2.0 \
  org.opencontainers.image.version=$VERSION \
  org.opencontainers.image.revision=$REVISION \
  org.opencontainers.image.source=$SOURCE
USER node
EXPOSE 8080 8090 9090
HEALTHCHECK --interval=5s --timeout=3s --start-period=30s --retries=5 CMD ["node", "healthcheck.js"]
# Node handles SIGTERM itself: every process finishes its work in flight, then ends.
ENTRYPOINT ["node"]
CMD ["--max-semi-space-size=16", "services/gateway/src/main.ts"]
