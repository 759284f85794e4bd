"""Writes the features of a GeoPackage or FlatGeobuf to a new file of the same kind, changed as a map compiler may change them.

usage: variant-features.py OPERATION[,OPERATION…] SOURCE TARGET      (needs GDAL's Python modules)

plain            as they are
shuffle, west    in another order: by chance; by the western edge. Rows get new ids
unindexed        FlatGeobuf without its index, where features would be ordered by it; a GeoPackage keeps its index
start, reverse   rings start at other points; rings run in the other direction
mercator         transformed to EPSG:3857 and back, which changes the last bits
equal-area       transformed to EPSG:6933 and back, which is off by up to millimetres
radians          converted to radians and back
rounded-7        rounded to 7 digits, 1e-7 units divided by 1e7; rounded-5: to 5 digits
scaled           rounded to 7 digits, 1e-7 units multiplied by 1e-7, which differs in the last bit
float32          rounded to single precision
shift            moved by a constant
simplify         simplified by half of the median length of a segment
anew, tenth      a copy of a GeoPackage in which all features, or each tenth, were deleted and inserted again

Same words, same bytes: chance is seeded with the name of the layer, and times are fixed.
"""

import os
import random
import shutil
import struct
import sys

import numpy
from osgeo import gdal, ogr, osr

DRIVERS = {".gpkg": "GPKG", ".fgb": "FlatGeobuf"}
FIXED_TIME = "2024-01-01T00:00:00.000Z"
POINT, LINE, POLYGON = 1, 2, 3


class Geometry:
    """Applies functions to the coordinates in well-known binary, ring by ring: arrays of a row for each point."""

    def __init__(self, on_ring, on_points):
        self.on_ring, self.on_points = on_ring, on_points

    def rewrite(self, wkb):
        return self.part(wkb, 0)[0]

    def part(self, wkb, at):
        """A geometry that begins at an offset: its new bytes, and the offset after it."""
        code = struct.unpack_from("<I", wkb, at + 1)[0]
        width = {0: 2, 1: 3, 2: 3, 3: 4}[code // 1000]
        head, at = wkb[at : at + 5], at + 5
        if code % 1000 == POINT:
            body, at = self.points(wkb, at, 1, width, False)
            return head + body, at
        count = struct.unpack_from("<I", wkb, at)[0]
        at += 4
        if code % 1000 == LINE:
            body, at = self.points(wkb, at, count, width, False)
            return head + struct.pack("<I", count) + body, at
        parts = [head, struct.pack("<I", count)]
        for _ in range(count):
            if code % 1000 == POLYGON:
                length = wkb[at : at + 4]
                body, at = self.points(wkb, at + 4, struct.unpack("<I", length)[0], width, True)
                parts.append(length)
            else:
                body, at = self.part(wkb, at)
            parts.append(body)
        return b"".join(parts), at

    def points(self, wkb, at, count, width, is_ring):
        end = at + 8 * width * count
        points = numpy.frombuffer(wkb, "<f8", width * count, at).reshape(count, width)
        if is_ring:
            points = self.on_ring(points)
        plane = self.on_points(points[:, :2])
        return numpy.hstack([plane, points[:, 2:]]).astype("<f8").tobytes(), end


def started(chance):
    """Another first point for a closed ring: the last one repeats it."""

    def change(ring):
        if len(ring) < 4 or (ring[0] != ring[-1]).any():
            return ring
        turned = numpy.roll(ring[:-1], chance.randrange(len(ring) - 1), axis=0)
        return numpy.vstack([turned, turned[:1]])

    return change


def there_and_back(here, code):
    there = osr.SpatialReference()
    there.ImportFromEPSG(code)
    for system in here, there:
        system.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
    forth, back = osr.CoordinateTransformation(here, there), osr.CoordinateTransformation(there, here)

    def change(points):
        moved = numpy.array(forth.TransformPoints(points.tolist())).reshape(-1, 3)
        moved[~numpy.isfinite(moved)] = 0
        moved = numpy.array(back.TransformPoints(moved.tolist())).reshape(-1, 3)[:, :2]
        # A pole has no place in some projections.
        return numpy.where(abs(moved - points) < 1e-6 * numpy.maximum(1, abs(points)), moved, points)

    return change


def system_of(layer):
    """Its reference system; degrees where a file does not name one."""
    named = layer.GetSpatialRef()
    if named is not None:
        return named.Clone()
    degrees = osr.SpatialReference()
    degrees.ImportFromEPSG(4326)
    return degrees


def on_points(operation, layer):
    """What an operation does to an array of points; None where it does something else."""
    here = system_of(layer)
    shift = [0.0000123, -0.0000067] if here.IsGeographic() else [1.23, -0.67]
    changes = {
        "radians": lambda points: numpy.degrees(numpy.radians(points)),
        "rounded-7": lambda points: numpy.rint(points * 1e7) / 1e7,
        "rounded-5": lambda points: numpy.rint(points * 1e5) / 1e5,
        "scaled": lambda points: numpy.rint(points * 1e7) * 1e-7,
        "float32": lambda points: points.astype("<f4").astype("<f8"),
        "shift": lambda points: points + shift,
    }
    if operation in ("mercator", "equal-area"):
        return there_and_back(here, {"mercator": 3857, "equal-area": 6933}[operation])
    return changes.get(operation)


def half_of_a_segment(features):
    """Half of the median length of the first segments of a layer."""
    lengths = []

    def collect(ring):
        lengths.append(numpy.hypot(*numpy.diff(ring[:, :2], axis=0).T))
        return ring

    for feature in features[:1000]:
        if shape := feature.GetGeometryRef():
            Geometry(collect, lambda points: points).rewrite(bytes(shape.ExportToIsoWkb(ogr.wkbNDR)))
    lengths = numpy.concatenate(lengths or [numpy.zeros(1)])
    return float(numpy.median(lengths)) / 2


def geometry_of(operations, layer, features, chance):
    """A function that gives the new geometry of an old one."""
    rings, points, tolerance = [], [], None
    for operation in operations:
        if operation == "start":
            rings.append(started(chance))
        elif operation == "reverse":
            rings.append(lambda ring: ring[::-1])
        elif operation == "simplify":
            tolerance = half_of_a_segment(features)
        elif change := on_points(operation, layer):
            points.append(change)

    def all_of(changes):
        def change(values):
            for one in changes:
                values = one(values)
            return values

        return change

    writer = Geometry(all_of(rings), all_of(points))

    def change(shape):
        if tolerance is not None:
            simple = shape.SimplifyPreserveTopology(tolerance)
            shape = shape if simple is None or simple.IsEmpty() else simple
        if not rings and not points:
            return shape
        linear = shape.GetLinearGeometry()
        return ogr.CreateGeometryFromWkb(writer.rewrite(bytes(linear.ExportToIsoWkb(ogr.wkbNDR))))

    return change


def west(feature):
    shape = feature.GetGeometryRef()
    return shape.GetEnvelope() if shape else (0, 0, 0, 0)


def copy_layer(layer, target, operations):
    chance = random.Random(layer.GetName())
    features = list(layer)
    options = []
    if target.GetDriver().GetName() == "GPKG":
        options = ["GEOMETRY_NAME=" + (layer.GetGeometryColumn() or "geom"), "FID=" + (layer.GetFIDColumn() or "fid")]
    elif "unindexed" in operations or not layer.TestCapability(ogr.OLCFastSpatialFilter):
        options = ["SPATIAL_INDEX=NO"]
    copy = target.CreateLayer(layer.GetName(), layer.GetSpatialRef(), layer.GetGeomType(), options)
    schema = layer.GetLayerDefn()
    for number in range(schema.GetFieldCount()):
        copy.CreateField(schema.GetFieldDefn(number))
    is_reordered = True
    if "shuffle" in operations:
        chance.shuffle(features)
    elif "west" in operations:
        features.sort(key=west)
    else:
        is_reordered = False
    change = geometry_of(operations, layer, features, chance)
    copy.StartTransaction()
    for feature in features:
        row = ogr.Feature(copy.GetLayerDefn())
        row.SetFrom(feature)
        row.SetFID(ogr.NullFID if is_reordered else feature.GetFID())
        if shape := feature.GetGeometryRef():
            row.SetGeometryDirectly(change(shape.Clone()))
        copy.CreateFeature(row)
    copy.CommitTransaction()


def reinsert(path, step):
    """Deletes each STEPth feature of a GeoPackage and inserts it again, under a new id."""
    source = ogr.Open(path, 1)
    for layer in source:
        if not layer.GetFIDColumn():
            continue  # a row without an id cannot be deleted by it
        features = [feature.Clone() for feature in layer][::step]
        layer.StartTransaction()
        for feature in features:
            layer.DeleteFeature(feature.GetFID())
        for feature in features:
            feature.SetFID(ogr.NullFID)
            layer.CreateFeature(feature)
        layer.CommitTransaction()


def main():
    operations, source, target = sys.argv[1].split(","), sys.argv[2], sys.argv[3]
    for module in gdal, ogr, osr:
        module.UseExceptions()
    # Errors are exceptions; warnings of an older GDAL about newer files are of no use here.
    gdal.PushErrorHandler("CPLQuietErrorHandler")
    gdal.SetConfigOption("OGR_CURRENT_DATE", FIXED_TIME)
    for operation, step in ("anew", 1), ("tenth", 10):
        if operation in operations:
            shutil.copyfile(source, target)
            reinsert(target, step)
            return
    old = ogr.Open(source)
    new = ogr.GetDriverByName(DRIVERS[os.path.splitext(source)[1]]).CreateDataSource(target)
    for layer in old:
        copy_layer(layer, new, operations)


main()
