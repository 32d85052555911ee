export interface PackedPackage {
  name: string;
  folder: string;
  tarball: string;
  files: string[];
}
export function packPackages(): Promise<PackedPackage[]>;
