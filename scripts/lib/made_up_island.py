"""Makes maps of islands that do not exist, in the formats of real programs: usage: made_up_island.py RELEASE FOLDER

Needs GDAL's programs, osmium, sqlite3 of Python, and pmtiles (PyPI) in this Python. Release 2 has one island, a bridge and
some places more than release 1. The same release gives the same maps.
"""

import json
import math
import os
import random
import shutil
import subprocess
import sys
import zipfile

WEST, SOUTH, EAST, NORTH = 14.0, 35.6, 14.8, 36.1
COLOURS = {"sea": (170, 199, 216), "land": (238, 232, 213), "wood": (176, 204, 150), "lake": (140, 180, 210),
           "road": (214, 122, 60), "town": (150, 140, 130)}


def run(*words, **more):
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL, **more)


def coast(x, y, radius, seed, depth=6):
    """A ring around a place, as ragged as a coast."""
    source = random.Random(seed)
    points = [(x + radius * math.cos(a) * 1.3, y + radius * math.sin(a))
              for a in (2 * math.pi * i / 7 for i in range(7))]
    for level in range(depth):
        finer = []
        for a, b in zip(points, points[1:] + points[:1]):
            shift = source.gauss(0, 0.16) * math.dist(a, b)
            finer += [a, ((a[0] + b[0]) / 2 - (b[1] - a[1]) / math.dist(a, b) * shift,
                          (a[1] + b[1]) / 2 + (b[0] - a[0]) / math.dist(a, b) * shift)]
        points = finer
    return [(round(px, 6), round(py, 6)) for px, py in points + points[:1]]


def features(release):
    """What the maps show: kind, geometry and name, the lowest first."""
    found = [("land", "Polygon", [coast(14.32, 35.88, 0.15, 1)], "First Island"),
             ("wood", "Polygon", [coast(14.26, 35.92, 0.05, 2, 5)], "Old Wood"),
             ("lake", "Polygon", [coast(14.38, 35.84, 0.025, 3, 5)], "Mirror Lake"),
             ("road", "LineString", [(14.16, 35.87), (14.25, 35.86), (14.32, 35.90), (14.45, 35.89)], "Long Road")]
    if release > 1:
        found += [("land", "Polygon", [coast(14.66, 35.76, 0.06, 4)], "Second Island"),
                  ("road", "LineString", [(14.45, 35.89), (14.53, 35.84), (14.64, 35.77)], "New Bridge")]
    source = random.Random(5)
    for number in range(120 + 20 * release):
        place = (round(14.2 + 0.25 * source.random(), 6), round(35.8 + 0.16 * source.random(), 6))
        found.append(("town", "Point", place, f"Place {number}"))
    return found


def collection(chosen):
    return {"type": "FeatureCollection", "features": [
        {"type": "Feature", "properties": {"name": name, "kind": kind, "r": COLOURS[kind][0], "g": COLOURS[kind][1],
                                           "b": COLOURS[kind][2]},
         "geometry": {"type": geometry, "coordinates": coordinates}}
        for kind, geometry, coordinates, name in chosen]}


def osm(found, path):
    """The lines and places as OpenStreetMap data."""
    nodes, ways, count = [], [], 0
    for kind, geometry, coordinates, name in found:
        ring = coordinates[0] if geometry == "Polygon" else coordinates if geometry == "LineString" else [coordinates]
        first = count + 1
        for x, y in ring:
            count += 1
            tags = f'<tag k="name" v="{name}"/>' if geometry == "Point" else ""
            nodes.append(f'<node id="{count}" version="1" lat="{y}" lon="{x}">{tags}</node>')
        if geometry != "Point":
            refs = "".join(f'<nd ref="{node}"/>' for node in range(first, count + 1))
            ways.append(f'<way id="{first}" version="1">{refs}<tag k="{kind}" v="yes"/></way>')
    with open(path, "w") as file:
        file.write('<osm version="0.6">' + "".join(nodes + ways) + "</osm>")


def make(release, folder):
    work = folder + ".work"
    for name in (work, folder):
        shutil.rmtree(name, ignore_errors=True)
        os.makedirs(name)
    found = features(release)
    layers = {"areas": "Polygon", "roads": "LineString", "places": "Point"}
    for layer, geometry in layers.items():
        with open(f"{work}/{layer}.geojson", "w") as file:
            json.dump(collection([f for f in found if f[1] == geometry]), file)
    os.makedirs(f"{folder}/shapes")
    os.makedirs(f"{folder}/islands")
    for layer in layers:
        source = f"{work}/{layer}.geojson"
        run("ogr2ogr", "-f", "ESRI Shapefile", "-lco", "ENCODING=UTF-8", f"{folder}/shapes/{layer}.shp", source)
        run("ogr2ogr", "-f", "FlatGeobuf", f"{folder}/islands/{layer}.fgb", source)
        run("ogr2ogr", "-f", "GPKG", "-append", "-update", f"{work}/search.gpkg", source)
    shutil.copy(f"{work}/search.gpkg", f"{folder}/islands/search.gpkg")
    raster = f"{work}/raster.tif"
    run("gdal_create", "-of", "GTiff", "-outsize", "1600", "1000", "-bands", "3", "-a_srs", "EPSG:4326", "-a_ullr",
        str(WEST), str(NORTH), str(EAST), str(SOUTH), "-burn", " ".join(map(str, COLOURS["sea"])), raster)
    for layer in ("areas", "roads", "places"):
        for band, colour in enumerate("rgb", 1):
            # Some pixels wide, as lines are drawn.
            source = f"{work}/{layer}.geojson"
            if layer != "areas":
                run("ogr2ogr", "-f", "GeoJSON", "-dialect", "sqlite", "-sql",
                    f"SELECT ST_Buffer(geometry, 0.003) AS geometry, {colour} FROM {layer}", f"{work}/wide.geojson", source)
                source = f"{work}/wide.geojson"
            run("gdal_rasterize", "-q", "-b", str(band), "-a", colour, source, raster)
            if os.path.exists(f"{work}/wide.geojson"):
                os.remove(f"{work}/wide.geojson")
    run("gdal_translate", "-q", "-co", "COMPRESS=DEFLATE", "-co", "TILED=YES", raster, f"{folder}/islands/height.tif")
    tiles = f"{folder}/islands/base.mbtiles"
    run("gdal_translate", "-q", "-of", "MBTILES", "-co", "NAME=Islands", raster, tiles)
    run("gdaladdo", "-q", "-r", "average", tiles, "2", "4", "8")
    pack_tiles(tiles, f"{folder}/islands/tiles.pmtiles")
    osm(found, f"{work}/islands.osm")
    run("osmium", "cat", "--no-progress", f"{work}/islands.osm", "-o", f"{folder}/islands/roads.osm.pbf",
        "--output-header=generator=made-up")
    with zipfile.ZipFile(f"{folder}/islands/pictures.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for layer in layers:
            archive.write(f"{work}/{layer}.geojson", f"{layer}.geojson")
    run("tar", "--sort=name", "--mtime=@0", "-czf", f"{folder}/islands/offline.tar.gz", "-C", work,
        *(f"{layer}.geojson" for layer in layers))
    shutil.rmtree(work)


def pack_tiles(source, target):
    from pmtiles.convert import mbtiles_to_pmtiles
    mbtiles_to_pmtiles(source, target, None)


if __name__ == "__main__":
    make(int(sys.argv[1]), sys.argv[2])
