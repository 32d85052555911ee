-- CreateIndex
CREATE INDEX "artifact_storage_key_idx" ON "artifact"("storage_key");

-- CreateIndex
CREATE INDEX "artifact_version_storage_key_idx" ON "artifact_version"("storage_key");

-- CreateIndex
CREATE INDEX "upload_storage_key_idx" ON "upload"("storage_key");

-- CreateIndex
CREATE INDEX "image_variant_storage_key_idx" ON "image_variant"("storage_key");

-- CreateIndex
CREATE INDEX "image_import_storage_key_idx" ON "image_import"("storage_key");

-- A variant whose bytes are lost is made again; which picture and rung it is stays.
GRANT UPDATE (mime_type, width, height, size_bytes, storage_key) ON image_variant TO plinth_app;
