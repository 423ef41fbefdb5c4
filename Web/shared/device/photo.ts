/** A JPEG of at most so many pixels a side: photos of phones have many megabytes, and networks are slow. */
export async function scaledPhoto(file: Blob, side = 1600, quality = 0.82): Promise<Blob> {
  try {
    const bitmap = await createImageBitmap(file);
    const scale = Math.min(1, side / Math.max(bitmap.width, bitmap.height));
    if (scale === 1 && file.size < 400_000 && /^image\/(jpeg|png)$/.test(file.type)) return file;
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(bitmap.width * scale);
    canvas.height = Math.round(bitmap.height * scale);
    (canvas.getContext("2d") as CanvasRenderingContext2D).drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    bitmap.close();
    return await new Promise((resolve) => canvas.toBlob((blob) => resolve(blob ?? file), "image/jpeg", quality));
  } catch {
    return file;
  }
}
