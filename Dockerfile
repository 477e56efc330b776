# The service as an image: docs/deploy.md. Built from this folder, `docker build --tag tollfree .`
ARG NODE_VERSION=24.21.0
# A release names the base image by its digest: deploy/image/build-release.sh.
ARG NODE_IMAGE=node:${NODE_VERSION}-alpine

FROM ${NODE_IMAGE} AS build
WORKDIR /src
COPY package.json package-lock.json .npmrc ./
COPY contract/package.json contract/
COPY clients/sdk/package.json clients/sdk/
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
# Which commit this is: `.git` is not here. deploy/image/build-release.sh names it.
ARG COMMIT
RUN export TOLLFREE_COMMIT="$COMMIT" \
  && npm run prepare \
  && npm run build \
  && npm prune --omit=dev --no-audit --no-fund \
  && node deploy/image/keep-needed-packages.mjs

FROM ${NODE_IMAGE}
ENV NODE_ENV=production
# What a volume is made of where one is put on it: closed to all but the service.
RUN install -d -o 1000 -g 1000 -m 0700 /var/lib/tollfree /run/tollfree
WORKDIR /app
COPY package.json LICENSE deploy/image/healthcheck.mjs ./
COPY --from=build /src/node_modules node_modules
COPY --from=build /src/dist dist
RUN ln -s /app/dist/server/tollfree.js /usr/local/bin/tollfree && chmod 0755 dist/server/tollfree.js
# The user `node` of the base image, as a number for whoever has to see that it is not root.
USER 1000:1000
VOLUME ["/var/lib/tollfree"]
EXPOSE 3000 9464
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=3 CMD ["node", "/app/healthcheck.mjs"]
# More room for objects that live as long as a request: docs/deploy.md.
ENTRYPOINT ["node", "--max-semi-space-size=64", "/app/dist/server/tollfree.js"]
CMD ["node", "--config", "/etc/tollfree/tollfree.json"]
